/**
 * The kernel as WebAssembly, put together by hand: a module with one memory, `memory`, and one function, `scan`. In the
 * text format the function is
 *
 *   (func (param $codes i32) (param $query i32) (param $count i32) (param $stride i32) (param $out i32)
 *     (local $q i32) (local $end i32) (local $sum v128) (local $v v128)
 *     (block (loop $next
 *       (br_if 1 (i32.eqz (local.get $count)))
 *       … $sum := 0; $q := $query; $end := $codes + $stride
 *       (loop $more                    ;; 16 numbers of the vector: 8 bits each, those of the query 16
 *         $v := v128.load $codes
 *         $sum += i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s $v, v128.load $q)
 *         $sum += i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s $v, v128.load offset=16 $q)
 *         $q += 32; $codes += 16
 *         (br_if $more (i32.lt_u $codes $end)))
 *       (i32.store $out (the four lanes of $sum added up))
 *       $out += 4; $count -= 1
 *       (br $next))))
 */
export function kernelModule(): Uint8Array<ArrayBuffer> {
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    // Types: one function of five 32-bit integers that answers nothing.
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    ...section(3, [1, 0]),
    // A memory of at least one page.
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name("memory"), 2, 0, ...name("scan"), 0, 0]),
    ...section(10, [1, ...sized([2, 2, I32, 2, V128, ...BODY, END])]),
  ]);
}

const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const [CODES, QUERY, COUNT, STRIDE, OUT, Q, STOP, SUM, V] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const constant = (value: number): number[] => [0x41, value];
const ADD = [0x6a];
const advance = (local: number, by: number[]): number[] => [...get(local), ...by, ...ADD, ...set(local)];
const simd = (operation: number): number[] => [0xfd, ...leb(operation)];
const load = (offset: number): number[] => [...simd(0x00), 4, offset];
/** Adds the products of half of `$v` and eight numbers of the query to `$sum`. */
const addHalf = (extend: number, offset: number): number[] => [
  ...get(SUM),
  ...get(V),
  ...simd(extend),
  ...get(Q),
  ...load(offset),
  ...simd(0xba),
  ...simd(0xae),
  ...set(SUM),
];
const lane = (index: number): number[] => [...get(SUM), ...simd(0x1b), index];

const BODY: readonly number[] = [
  ...[0x02, 0x40, 0x03, 0x40],
  ...[...get(COUNT), 0x45, 0x0d, 1],
  ...[...simd(0x0c), ...new Array<number>(16).fill(0), ...set(SUM)],
  ...[...get(QUERY), ...set(Q)],
  ...[...get(CODES), ...get(STRIDE), ...ADD, ...set(STOP)],
  ...[0x03, 0x40],
  ...[...get(CODES), ...load(0), ...set(V)],
  ...addHalf(0x87, 0),
  ...addHalf(0x88, 16),
  ...advance(Q, constant(32)),
  ...advance(CODES, constant(16)),
  ...[...get(CODES), ...get(STOP), 0x49, 0x0d, 0, END],
  ...[...get(OUT), ...lane(0), ...lane(1), ...ADD, ...lane(2), ...ADD, ...lane(3), ...ADD, 0x36, 2, 0],
  ...advance(OUT, constant(4)),
  ...[...get(COUNT), ...constant(1), 0x6b, ...set(COUNT)],
  ...[0x0c, 0, END, END],
];

/** An unsigned number as the format writes it. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

function sized(bytes: readonly number[]): number[] {
  return [...leb(bytes.length), ...bytes];
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...sized(bytes)];
}

function name(text: string): number[] {
  return sized([...text].map((letter) => letter.charCodeAt(0)));
}
