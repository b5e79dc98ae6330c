import { parseSync } from 'vite';
import type { ProjectFile } from './project-files.ts';

type Node = { type: string; start: number; end: number; [part: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const isLoop = ({ type }: Node): boolean => /^(?:For(?:Of|In)?|While|DoWhile)Statement$/.test(type);
const isFunction = ({ type }: Node): boolean => /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
/** A call that writes, or that is handed what it can write with. */
const writes = /^await (?:\w+\.)*db\.change\(|^await \w+\(\s*(?:\{[^}]*\bdb\b[^}]*\}|db|context|tools)\s*[,)]/;

/**
 * Returns the lines of a file on which a loop waits for a change of its own for each row, without catching what one throws: it would stop all later ones, again with each run.
 */
export function bareLoops({ path, text }: ProjectFile): { line: number; words: string }[] {
  if (!/\b(?:for|while) ?\(/.test(text) || !/\bdb\b/.test(text)) return [];
  const found: { line: number; words: string }[] = [];
  const walk = (value: unknown, inLoop: boolean): void => {
    if (Array.isArray(value)) {
      for (const each of value) walk(each, inLoop);
      return;
    }
    if (!isNode(value)) return;
    const source = text.slice(value.start, value.end);
    if (inLoop && value.type === 'AwaitExpression' && writes.test(source))
      found.push({ line: text.slice(0, value.start).split('\n').length, words: source.split('\n')[0]!.slice(0, 100) });
    for (const [part, child] of Object.entries(value)) {
      const caught = value.type === 'TryStatement' && value['handler'] !== null && part === 'block';
      const inside = isFunction(value) || caught ? false : inLoop || (isLoop(value) && part === 'body');
      walk(child, inside);
    }
  };
  walk(parseSync(path, text).program, false);
  return found;
}
