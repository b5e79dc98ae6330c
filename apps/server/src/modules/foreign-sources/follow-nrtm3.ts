import { askLine } from '../../adapters/mirrored-registry.ts';
import { breathing } from '../../platform/breathing.ts';
import { decoded } from './bounded-files.ts';
import type { Way } from './configured.ts';
import type { ForeignChange } from './copies.ts';
import { changedObject } from './follow-nrtm4.ts';
import { identityIn, LONGEST_OBJECT } from './kept-object.ts';
import { SourceProblem } from './source-problem.ts';

type Nrtm3 = Way & { kind: 'nrtm3' };

/** Bytes of an answer, and changes that are taken of it; the rest is asked for next. */
const MAX_BYTES = 256 * 2 ** 20;
const MAX_CHANGES = 20_000;

/** Changes up to a serial; `gap`: they don't go on from where the copy is, so that the files are loaded anew. `more`: there are later ones. */
export type Slice = { changes: ForeignChange[]; serial: number; more: boolean } | 'gap';

/** Lines of an answer one by one, without their ends. @throws SourceProblem for a line without end */
async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const chunk of chunks) {
    rest += chunk.toString('latin1');
    let from = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      yield rest.slice(from, end).replace(/\r$/, '');
      from = end + 1;
    }
    rest = rest.slice(from);
    if (rest.length > LONGEST_OBJECT) throw new SourceProblem('An answer of NRTM 3 has a line without end.');
  }
}

type Operation = { deletes: boolean; serial: number; lines: string[]; length: number };

/**
 * Asks for the changes after a serial (`-g SOURCE:3:FROM-LAST`). An answer that ends in the middle counts for nothing.
 * @throws SourceProblem, MirrorUnreachable
 */
export async function nrtm3Changes({ host, port }: Nrtm3, source: string, after: number): Promise<Slice> {
  const answer = linesIn(askLine({ host, port }, `-g ${source}:3:${after + 1}-LAST`, { maxBytes: MAX_BYTES }));
  const breathe = breathing();
  const changes: ForeignChange[] = [];
  let upTo: number | null = null;
  let last = after;
  let open: Operation | null = null;
  let operations = 0;
  const finish = async (): Promise<void> => {
    if (open === null) return;
    const { deletes, serial, lines } = open;
    const text = decoded(`${lines.join('\n')}\n`);
    open = null;
    last = serial;
    const identity = deletes ? await identityIn(text, breathe) : null;
    const change = deletes ? identity && { ...identity, object: null } : await changedObject(text, source);
    if (change) changes.push(change);
  };
  try {
    for await (const line of answer) {
      await breathe();
      if (upTo === null) {
        const begun = startOf(line, source, after);
        if (begun === null) continue;
        if (typeof begun !== 'object') return begun === 'none' ? { changes: [], serial: after, more: false } : 'gap';
        upTo = begun.upTo;
        continue;
      }
      const operation = /^(ADD|DEL)(?:[ \t]+(\d{1,15}))?[ \t]*$/.exec(line);
      if (operation) {
        await finish();
        if (operation[2] === undefined) throw new SourceProblem('An answer of NRTM 3 has a change without its serial.');
        const serial = Number(operation[2]);
        if (serial <= last || serial > upTo)
          throw new SourceProblem(`An answer of NRTM 3 has serial ${serial} after ${last}, of those up to ${upTo}.`);
        if (operations++ === MAX_CHANGES) return { changes, serial: last, more: true };
        open = { deletes: operation[1] === 'DEL', serial, lines: [], length: 0 };
      } else if (/^%END\b/.test(line)) {
        await finish();
        return { changes, serial: upTo, more: false };
      } else if (line.startsWith('%ERROR')) throw new SourceProblem(`The source answers ${line.slice(0, 200)}`);
      else keepLine(open, line);
    }
  } finally {
    await answer.return();
  }
  throw new SourceProblem('An answer of NRTM 3 ends in the middle.');
}

function keepLine(open: Operation | null, line: string): void {
  if (open === null || (line.trim() === '' && open.lines.length === 0)) return;
  open.length += line.length + 1;
  if (open.length > LONGEST_OBJECT) throw new SourceProblem(`An object has more than ${LONGEST_OBJECT} characters.`);
  if (line.trim() !== '') open.lines.push(line);
}

/** Reads a line before the changes: where they begin and end, that there are none, or none from here on; null for a remark. @throws SourceProblem for a refusal */
function startOf(line: string, source: string, after: number): { upTo: number } | 'none' | 'gap' | null {
  const start = /^%START\s+Version:\s*(\d+)\s+(\S+)\s+(\d{1,15})-(\d{1,15})/i.exec(line);
  if (start) {
    const [, version, name, from, to] = start as unknown as [string, string, string, string, string];
    if (version !== '3' || name.toUpperCase() !== source) throw new SourceProblem(`The source answers ${line.slice(0, 200)}`);
    if (Number(from) > after + 1) return 'gap';
    if (Number(from) < after + 1 || Number(to) <= after)
      throw new SourceProblem(`The source answers ${line.slice(0, 200)}, and serials after ${after} were asked for.`);
    return { upTo: Number(to) };
  }
  // Others say so in words.
  if (/^%\s*Warning\b.*\bno newer updates\b/i.test(line)) return 'none';
  if (!/^%\s*ERROR/i.test(line)) return null;
  const [, oldest, newest] = /\b(\d{1,15})\s*-\s*(\d{1,15})\b/.exec(line.replace(/^%\s*ERROR:\d+:/i, '')) ?? [];
  if (newest === undefined || !/^%\s*ERROR:401/i.test(line)) throw new SourceProblem(`The source answers ${line.slice(0, 200)}`);
  // One that begins again has lower serials than before.
  if (Number(newest) === after) return 'none';
  return Number(oldest) > after + 1 || Number(newest) < after ? 'gap' : 'none';
}
