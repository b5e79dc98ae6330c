import { createHash } from 'node:crypto';
import { refuseField } from '../../platform/failure.ts';
import { readPng } from './png-logo.ts';
import { LogoProblem, readSvg } from './svg-logo.ts';

/** A logo as it is kept and served. */
export type ReadLogo = { name: string; content: string; width: number; height: number };

/** The height to which names scale a logo, in pixels: only its shape matters. */
const HEIGHT = 100;

/** Reads a logo that someone uploaded, made anew of what draws. @param content its bytes in base64 @throws Failure INVALID_REQUEST naming what it may not have */
export function read(content: string): ReadLogo {
  const file = Buffer.from(content, 'base64');
  try {
    const isSvg = file.subarray(0, 256).toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '').trimStart().startsWith('<');
    const made = isSvg ? svgOf(file) : pngOf(file);
    const width = Math.min(1200, Math.max(1, Math.round((made.width / made.height) * HEIGHT)));
    const digest = createHash('sha256').update(made.bytes).digest('hex');
    return { name: `${digest}-${width}.${isSvg ? 'svg' : 'png'}`, content: made.bytes.toString('base64'), width: made.width, height: made.height };
  } catch (error) {
    if (error instanceof LogoProblem) throw refuseField('content', error.message);
    throw error;
  }
}

function svgOf(file: Buffer) {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw new LogoProblem('The SVG isn’t in UTF-8. Export it again');
  }
  const { svg, ...size } = readSvg(text);
  return { bytes: Buffer.from(svg), ...size };
}

function pngOf(file: Buffer) {
  const { png, ...size } = readPng(file);
  return { bytes: png, ...size };
}
