/** The longest SVG that is read, in characters. */
export const LONGEST_SVG = 64 * 1024;
/** Elements of one drawing, and how deep they are in each other. */
const MAX_ELEMENTS = 2_000;
const DEEPEST = 24;

/** A part of a file that a logo may not have; the sentence says what would be right. */
export class LogoProblem extends Error {}

const number = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(px|%)?$/i;
const numbers = /^[\d\s,.eE+-]*$/;
const path = /^[\d\s,.eE+\-MmLlHhVvCcSsQqTtAaZz]*$/;
const colour = /^(none|currentColor|transparent|#[\da-f]{3,8}|[a-z]{3,20}|rgba?\([\d\s,.%]+\)|url\(#[\w-]{1,64}\))$/i;
const name = /^[\w-]{1,64}$/;
const transform = /^((matrix|translate|scale|rotate|skewX|skewY)\([\d\s,.eE+-]*\)[\s,]*)*$/;
const word = /^[a-zA-Z-]{1,24}$/;

/** Attributes of the presentation, which every element may have. */
const common: Readonly<Record<string, RegExp>> = {
  id: name,
  fill: colour,
  stroke: colour,
  color: colour,
  'stop-color': colour,
  'fill-rule': word,
  'clip-rule': word,
  'fill-opacity': number,
  'stroke-opacity': number,
  'stop-opacity': number,
  opacity: number,
  'stroke-width': number,
  'stroke-linecap': word,
  'stroke-linejoin': word,
  'stroke-miterlimit': number,
  'stroke-dasharray': numbers,
  'stroke-dashoffset': number,
  'clip-path': /^url\(#[\w-]{1,64}\)$/,
  transform,
};
const box = { x: number, y: number, width: number, height: number };
const gradient = { gradientUnits: word, gradientTransform: transform, spreadMethod: word };

/** The elements that a logo may have, and their own attributes. Nothing of it loads, links, runs or is text of another language: no script, style, image, use, a, foreignObject. */
const elements: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  svg: { ...box, viewBox: numbers, preserveAspectRatio: /^[a-zA-Z ]{1,30}$/, version: number },
  g: {},
  defs: {},
  title: {},
  desc: {},
  path: { d: path },
  rect: { ...box, rx: number, ry: number },
  circle: { cx: number, cy: number, r: number },
  ellipse: { cx: number, cy: number, rx: number, ry: number },
  line: { x1: number, y1: number, x2: number, y2: number },
  polyline: { points: numbers },
  polygon: { points: numbers },
  clipPath: { clipPathUnits: word },
  linearGradient: { ...gradient, x1: number, y1: number, x2: number, y2: number },
  radialGradient: { ...gradient, cx: number, cy: number, r: number, fx: number, fy: number },
  stop: { offset: number },
};
/** Attributes that drawing programs add, and that draw nothing. */
const ignored = /^(xmlns|xml:space|class|data-[\w-]+|role|aria-[\w-]+|enable-background|baseProfile|focusable)$/;
/** Elements with text that no one sees; it is left out. */
const silent = new Set(['title', 'desc']);

const quoted = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

type Open = { name: string };

/**
 * Returns an SVG that is made anew of the elements and attributes of a picture, and its size.
 * @throws LogoProblem naming the first thing that a picture doesn’t have
 */
export function readSvg(text: string): { svg: string; width: number; height: number } {
  if (text.length > LONGEST_SVG) throw new LogoProblem(`The SVG is larger than ${LONGEST_SVG / 1024} kB. Simplify its paths`);
  let rest = text.replace(/^\uFEFF/, '').trimStart();
  // A declaration says the encoding, and nothing else; the text has been decoded already.
  rest = rest.replace(/^<\?xml [^<>?]{0,200}\?>\s*/, '');
  const out: string[] = [];
  const open: Open[] = [];
  let count = 0;
  let root: Record<string, string> | undefined;
  // Sticky: each is tried at one place, so that reading is linear.
  const comment = /<!--[^-]*(?:-[^-]+)*-->/y;
  const tag = /<([A-Za-z][\w:.-]{0,60})((?:\s+[\w:.-]{1,80}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
  const closing = /<\/([A-Za-z][\w:.-]{0,60})\s*>/y;
  for (let at = 0; at < rest.length; ) {
    if (rest[at] !== '<') {
      const next = rest.indexOf('<', at);
      const words = rest.slice(at, next < 0 ? rest.length : next);
      if (words.trim() !== '' && !silent.has(open.at(-1)?.name ?? ''))
        throw new LogoProblem(`The SVG has the text “${shortened(words.trim())}”. Convert texts to paths`);
      at += words.length;
      continue;
    }
    const take = (expression: RegExp): RegExpExecArray | null => {
      expression.lastIndex = at;
      const found = expression.exec(rest);
      if (found) at = expression.lastIndex;
      return found;
    };
    if (take(comment)) continue;
    const close = take(closing);
    if (close) {
      if (open.pop()?.name !== close[1]) throw new LogoProblem(`The SVG closes <${shortened(close[1]!)}> where it isn’t open`);
      if (!silent.has(close[1]!)) out.push(`</${close[1]}>`);
      continue;
    }
    const begin = take(tag);
    if (!begin) {
      const what = /^<[!?]?[\w:.-]{0,30}/.exec(rest.slice(at, at + 40))![0];
      throw new LogoProblem(`The SVG has “${what}”, which isn’t part of a picture. Export it as plain SVG`);
    }
    const [, element, list, isEmpty] = begin;
    if (!Object.hasOwn(elements, element!))
      throw new LogoProblem(`The SVG has the element <${shortened(element!)}>. A logo has shapes, groups, clips and gradients only`);
    if (open.length === 0 && (element !== 'svg' || root)) throw new LogoProblem('The file has to be one <svg> and nothing else');
    if (open.length > 0 && element === 'svg') throw new LogoProblem('The SVG has another <svg> inside');
    if (silent.has(open.at(-1)?.name ?? '')) throw new LogoProblem(`The SVG has <${element}> inside of a title`);
    if ((count += 1) > MAX_ELEMENTS) throw new LogoProblem(`The SVG has more than ${MAX_ELEMENTS} elements. Simplify it`);
    const attributes = attributesOf(element!, list!);
    root ??= attributes;
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${quoted(value)}"`);
    const xmlns = element === 'svg' ? ' xmlns="http://www.w3.org/2000/svg"' : '';
    if (!silent.has(element!)) out.push(`<${element}${xmlns}${written.join('')}${isEmpty}>`);
    if (isEmpty) continue;
    open.push({ name: element! });
    if (open.length > DEEPEST) throw new LogoProblem(`The SVG is more than ${DEEPEST} elements deep`);
  }
  if (!root || open.length > 0) throw new LogoProblem('The file isn’t a whole SVG');
  return { svg: out.join(''), ...sizeOf(root) };
}

function attributesOf(element: string, list: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, key, one, other] of list.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const value = (one ?? other!).trim();
    if (ignored.test(key!)) continue;
    const allowed = Object.hasOwn(elements[element]!, key!)
      ? elements[element]![key!]
      : Object.hasOwn(common, key!)
        ? common[key!]
        : undefined;
    if (!allowed)
      throw new LogoProblem(`The SVG has the attribute ${shortened(key!)}. A logo has shapes and colours only: export it as plain SVG`);
    if (!allowed.test(value))
      throw new LogoProblem(`The SVG has ${shortened(key!)}="${shortened(value)}", which isn’t a shape, colour or size`);
    if (Object.hasOwn(attributes, key!)) throw new LogoProblem(`The SVG has ${shortened(key!)} twice in one element`);
    attributes[key!] = value;
  }
  return attributes;
}

/** The size of the drawing, by its box. @throws LogoProblem */
function sizeOf({ viewBox }: Record<string, string>): { width: number; height: number } {
  const [, , width, height] = (viewBox ?? '').split(/[\s,]+/).map(Number);
  if (!width || !height || !(width > 0 && height > 0 && width < 1e6 && height < 1e6))
    throw new LogoProblem('The SVG has no viewBox with a width and a height');
  return { width, height };
}
