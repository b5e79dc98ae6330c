import { createHash } from 'node:crypto';
import { logoLimits } from '@portal/contract/brand/brand-values';
import { refuseField } from '../../platform/failure.ts';
import { LogoProblem, type Picture } from './logo-problem.ts';
import { isPng, readPng } from './png-logo.ts';
import { isWebp, readWebp } from './webp-logo.ts';

/** A logo as it is kept and served; its content is in base64. */
export type ReadLogo = { name: string; content: string; width: number; height: number };

/** The height at which names say the width of a logo, in pixels, and the widest that they say: pages draw none wider. */
const HEIGHT = 100;
const WIDEST = 1200;

/** The largest content that the table takes. */
const LARGEST_KEPT = 256 * 1024;
const tooLarge = (): LogoProblem => new LogoProblem(`The file is larger than ${logoLimits.bytes / 1024} kB. Export a smaller one`);

/** Reads a logo that someone uploaded, made anew of what draws. @param content its bytes in base64 @throws Failure INVALID_REQUEST naming what it may not have */
export function read(content: string): ReadLogo {
  try {
    const { bytes, width, height } = pictureOf(Buffer.from(content, 'base64'));
    // Packed again it can be a little larger.
    if (bytes.length > LARGEST_KEPT) throw tooLarge();
    const shape = Math.min(WIDEST, Math.max(1, Math.round((width / height) * HEIGHT)));
    const digest = createHash('sha256').update(bytes).digest('hex');
    return { name: `${digest}-${shape}.${isPng(bytes) ? 'png' : 'webp'}`, content: bytes.toString('base64'), width, height };
  } catch (error) {
    if (error instanceof LogoProblem) throw refuseField('content', error.message);
    throw error;
  }
}

function pictureOf(file: Buffer): Picture {
  if (file.length > logoLimits.bytes) throw tooLarge();
  if (isPng(file)) return readPng(file);
  if (isWebp(file)) return readWebp(file);
  const beginning = file.subarray(0, 512).toString('utf8').trimStart();
  // An SVG is a document that can run programs and load things, not a picture alone.
  if (/^<(?:\?xml|svg|!)/i.test(beginning))
    throw new LogoProblem('An SVG can contain programs, so it can’t be a logo. Export it as a PNG or WebP of 66 pixels or more');
  throw new LogoProblem('The file is neither a PNG nor a WebP. Export the logo as one of them');
}
