import type { ProjectFile } from './project-files.ts';

/** Calls that make a stream, socket, thread or program, whose error without a listener is an exception that nothing awaits. */
const makes =
  /\b(?:spawn|fork|(?:net|tls)\.(?:connect|createConnection|createServer)|(?:dgram\.)?createSocket|(?:fs\.)?createReadStream|createWriteStream|new Worker)\(/;
/** Calls that take such a value and hear its errors. */
const takes = /\b(?:pipeline|for await) ?\(|\.send\(/;

/** Returns the lines of a file that make a stream, socket, thread or program, and leave its errors unheard. */
export function unheardErrors({ text }: ProjectFile): { line: number; words: string }[] {
  return text.split('\n').flatMap((line, place) => {
    if (!makes.test(line) || /^\s*(?:\*|\/\/|import\b)/.test(line)) return [];
    const name = /\b(?:const|let) (\w+)(?:: [\w.]+)? = /.exec(line)?.[1];
    const isHeard = name === undefined ? takes.test(line) || takes.test(text.split('\n')[place - 1] ?? '') : hears(text, name, line);
    return isHeard ? [] : [{ line: place + 1, words: line.trim().slice(0, 100) }];
  });
}

function hears(text: string, name: string, line: string): boolean {
  // A server reports each connection that it can't accept: a listener for the first error isn't enough.
  const listener = line.includes('createServer(') ? 'on' : '(?:on|once)';
  return [
    `\\b${name}\\s*\\.${listener}\\('error'`,
    `\\bpipeline\\([^;]*\\b${name}\\b`,
    `\\b${name}\\[Symbol\\.asyncIterator\\]`,
    `\\bof ${name}\\b`,
    // Of node:events, which throws what the emitter reports.
    `\\bon\\(${name}, `,
  ].some(pattern => new RegExp(pattern).test(text));
}
