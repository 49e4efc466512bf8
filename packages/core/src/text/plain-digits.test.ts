import { expect, it } from "vitest";
import { plainDigits } from "./plain-digits.ts";

it("S5: digits of every script are 0 to 9, and every letter stays in its place", () => {
  const codes = Array.from({ length: 0x1_0000 }, (_, code) => code);
  const digits = codes.map((code) => String.fromCharCode(code)).filter((letter) => /\p{Nd}/u.test(letter));
  expect(digits.length).toBeGreaterThan(300);
  expect(digits.map(plainDigits).join("")).toBe("0123456789".repeat(digits.length / 10));
  expect(plainDigits("৭ days, ٣ يوم, ７日, 𞥗!")).toBe("7 days, 3 يوم, 7日, 𞥗!");
});
