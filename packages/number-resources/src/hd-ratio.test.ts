import { describe, expect, it } from 'vitest';
import { hdRatio, hdThreshold, suggestHdLength } from './hd-ratio.ts';

describe('the HD ratio', () => {
  it.each([
    [36, 456_420n],
    [32, 6_183_534n],
    [31, 11_863_284n],
    [30, 22_760_044n],
    [29, 43_665_787n],
    [28, 83_774_046n],
    [24, 1_134_964_479n],
    [56, 1n],
    [6, 2n ** 47n],
  ])('counts a /%d as used from %d /56s on', (length, needed) => expect(hdThreshold(length)).toBe(needed));

  it('has as threshold the least count that reaches 0.94, for every length', () => {
    for (let length = 0; length <= 56; length++) {
      const total = 2n ** BigInt(56 - length);
      const needed = hdThreshold(length);
      expect(needed ** 50n >= total ** 47n).toBe(true);
      expect((needed - 1n) ** 50n < total ** 47n).toBe(true);
    }
  });

  it('refuses lengths without a single /56', () => {
    expect(() => hdThreshold(57)).toThrow('The HD ratio counts /56s, of which a /57 has none');
    expect(() => hdThreshold(-1)).toThrow(RangeError);
    expect(() => hdThreshold(32.5)).toThrow(RangeError);
  });

  it('is the quotient of the logarithms', () => {
    expect(hdRatio(6_183_534n, 16_777_216n)).toBeCloseTo(0.94, 6);
    expect(hdRatio(256n, 65536n)).toBeCloseTo(0.5, 12);
    expect(hdRatio(2n ** 28n, 2n ** 56n)).toBeCloseTo(0.5, 12);
    expect(hdRatio(0n, 65536n)).toBe(0);
    expect(hdRatio(1n, 65536n)).toBe(0);
    expect(hdRatio(65536n, 65536n)).toBe(1);
    expect(hdRatio(1n, 1n)).toBe(1);
  });

  it('suggests the smallest prefix that is large enough, never smaller than a /32', () => {
    expect(suggestHdLength(0n)).toBe(32);
    expect(suggestHdLength(6_183_534n)).toBe(32);
    expect(suggestHdLength(6_183_535n)).toBe(31);
    expect(suggestHdLength(83_774_046n)).toBe(28);
    expect(suggestHdLength(2n ** 56n)).toBeUndefined();
  });
});
