import { createHash } from 'node:crypto';
import { refuseField } from '../../platform/failure.ts';
import { LARGEST_LOGO, LogoProblem } from './logo-problem.ts';
import { isPng, readPng } from './png-logo.ts';
import { isWebp, readWebp } from './webp-logo.ts';

/** A logo as it is kept and served. */
export type ReadLogo = { name: string; content: string; width: number; height: number };

/** The height to which names scale a logo, in pixels: only its shape matters. */
const HEIGHT = 100;

/** Reads a logo that someone uploaded, made anew of what draws. @param content its bytes in base64 @throws Failure INVALID_REQUEST naming what it may not have */
export function read(content: string): ReadLogo {
  const file = Buffer.from(content, 'base64');
  try {
    const { bytes, width, height } = pictureOf(file);
    const shape = Math.min(1200, Math.max(1, Math.round((width / height) * HEIGHT)));
    const digest = createHash('sha256').update(bytes).digest('hex');
    return { name: `${digest}-${shape}.${isPng(bytes) ? 'png' : 'webp'}`, content: bytes.toString('base64'), width, height };
  } catch (error) {
    if (error instanceof LogoProblem) throw refuseField('content', error.message);
    throw error;
  }
}

function pictureOf(file: Buffer) {
  if (file.length > LARGEST_LOGO) throw new LogoProblem(`The file is larger than ${LARGEST_LOGO / 1024} kB`);
  if (isPng(file)) return readPng(file);
  if (isWebp(file)) return readWebp(file);
  const beginning = file.subarray(0, 512).toString('latin1').trimStart();
  // An SVG is a document that can run programs and load things, not a picture alone.
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:\?xml|svg|!)/i.test(beginning))
    throw new LogoProblem('An SVG can contain programs, so it can’t be a logo. Export it as PNG or WebP, at least 66 pixels high');
  throw new LogoProblem('The file is neither a PNG nor a WebP');
}
