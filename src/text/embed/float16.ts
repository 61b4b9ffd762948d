/** Numbers of 16 bits, as models keep them. Pure. */

/** Returns half-precision numbers (IEEE 754 binary16) as singles. */
export function fromFloat16(halves: Uint16Array): Float32Array {
  return Float32Array.from(halves, (half) => {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}

/** Returns brain floating-point numbers (bfloat16), the upper halves of singles. */
export function fromBfloat16(halves: Uint16Array): Float32Array {
  return new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);
}
