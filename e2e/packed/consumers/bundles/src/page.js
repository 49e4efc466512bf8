import { talk } from "./talk.js";

const found = document.querySelector("#found");
try {
  found.textContent = JSON.stringify(await talk());
} catch (error) {
  found.textContent = `failed: ${error.stack}`;
}
