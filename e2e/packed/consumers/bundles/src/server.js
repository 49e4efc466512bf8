import { sqliteStore } from "@throughline/store-sqlite";
import { talk } from "./talk.js";

console.log(JSON.stringify(await talk(sqliteStore({ path: process.argv[2] }))));
