import { parseSync } from 'vite';
import type { ProjectFile } from './project-files.ts';

/** A function of a file: where it begins, and how many lines it has. */
export type FunctionLines = { name: string; line: number; lines: number };

type Node = { type: string; start: number; end: number; id?: { name?: string } | null; key?: { name?: string } };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const isFunction = ({ type }: Node): boolean => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);

/**
 * Returns the functions of a file with more than so many lines, those inside of others too. A function without a name has that of the variable,
 * property or function that holds it.
 */
export function functionsOver(most: number, { path, text }: ProjectFile): FunctionLines[] {
  if (text.split('\n', most + 1).length <= most) return [];
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const found: FunctionLines[] = [];
  const walk = (value: unknown, holder: string): void => {
    if (Array.isArray(value)) {
      for (const each of value) walk(each, holder);
      return;
    }
    if (!isNode(value)) return;
    const name = value.id?.name ?? value.key?.name ?? holder;
    if (isFunction(value)) {
      const line = lineAt(value.start);
      const lines = lineAt(value.end) - line + 1;
      if (lines > most) found.push({ name, line, lines });
    }
    for (const part of Object.values(value)) if (typeof part === 'object') walk(part, name);
  };
  walk(parseSync(path, text).program, 'a function');
  return found;
}
