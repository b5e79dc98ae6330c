import fs from 'node:fs/promises';
import path from 'node:path';
import { HOUR_MS, instantAfter, MINUTE_MS } from '@portal/contract/days';
import { MirrorUnreachable } from '../../adapters/mirrored-registry.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { type ConfiguredSource, foreignSourcesOf } from './configured.ts';
import {
  addToCopy,
  applyChanges,
  beginCopy,
  dropCopy,
  forgetSources,
  noteLoadDue,
  noteProblem,
  noteSource,
  noteSuccess,
  type Position,
  showCopy,
  type SourceState,
  sourceStates,
  sweepCopies,
} from './copies.ts';
import { dumpObjects, readSerial } from './follow-dump.ts';
import { nrtm3Changes } from './follow-nrtm3.ts';
import { deltaChanges, deltasAfter, fetchNotification, isStale, positionOf, snapshotObjects } from './follow-nrtm4.ts';
import type { KeptObject } from './kept-object.ts';
import { SourceProblem } from './source-problem.ts';

type Following = Pick<ModuleContext, 'db' | 'config' | 'profile' | 'clock' | 'log'>;
/** A source in its turn; `folder` is there for its files, and empty. */
type Turn = { context: Following; source: ConfiguredSource; state: SourceState; folder: string };

/** How often a source of NRTM 3 is asked, in ms; NRTM 4 has a file each minute. */
const NRTM3_MS = 5 * MINUTE_MS;
/** Slices of NRTM 3 that are asked for in one turn. */
const MAX_SLICES = 20;
/** Objects that are collected before they are written, and their characters. */
const COLLECTED = 500;
const COLLECTED_CHARACTERS = 4_000_000;

/** Loads sources whole: those without a copy, those whose changes are missing, and files that are due again. */
export async function loadForeignSources(context: Following): Promise<void> {
  const { db, clock } = context;
  const sources = foreignSourcesOf(context);
  const names = new Set(sources.map(({ name }) => name));
  const former = (await sourceStates(db.read)).flatMap(({ name }) => (names.has(name) ? [] : [name]));
  await forgetSources(db, former, clock());
  await eachAlone(
    sources,
    ({ name }) => name,
    source => noteSource(db, source),
  );
  await eachTurn(context, sources, isLoadDue, loadSource);
  await sweepCopies(db, clock());
}

/** Follows the changes of sources that have a copy. */
export async function followForeignSources(context: Following): Promise<void> {
  const followed = foreignSourcesOf(context).filter(({ way }) => way.kind !== 'dump');
  await eachTurn(context, followed, ({ copyId, loadDue }) => copyId !== null && !loadDue, followChanges);
}

function isLoadDue({ copyId, loadDue, loadedAt }: SourceState, { way }: ConfiguredSource, now: Date): boolean {
  if (copyId === null || loadDue) return true;
  return way.kind === 'dump' && now.getTime() - Date.parse(loadedAt!) >= way.hours * HOUR_MS;
}

/** Gives each source that is due its turn. A source that can't be followed keeps its last copy, and says why; it is none of ours to fail. */
async function eachTurn(
  context: Following,
  sources: readonly ConfiguredSource[],
  isDue: (state: SourceState, source: ConfiguredSource, now: Date) => boolean,
  act: (turn: Turn) => Promise<string | null>,
): Promise<void> {
  const { db, clock, config, log } = context;
  const states = new Map((await sourceStates(db.read)).map(state => [state.name, state]));
  await eachAlone(
    sources,
    ({ name }) => name,
    async source => {
      const now = clock();
      const state = states.get(source.name);
      if (
        !state ||
        state.way !== source.way.kind ||
        !isDue(state, source, now) ||
        (state.nextAt !== null && Date.parse(state.nextAt) > now.getTime())
      )
        return;
      await fs.mkdir(config.foreignDir, { recursive: true });
      const folder = await fs.mkdtemp(path.join(config.foreignDir, `${source.name}-`));
      try {
        const nextAt = await act({ context, source, state, folder });
        await noteSuccess(db, source.name, { now, nextAt });
      } catch (error) {
        if (!(error instanceof SourceProblem || error instanceof MirrorUnreachable)) throw error;
        log.warn('a source of another registry could not be followed; its last copy stays', {
          source: source.name,
          problem: error.message,
        });
        await noteProblem(db, state, error.message, now);
      } finally {
        await fs.rm(folder, { recursive: true, force: true });
      }
    },
  );
}

async function loadSource(turn: Turn): Promise<null> {
  const { context, source, state, folder } = turn;
  const { name, way } = source;
  const now = context.clock();
  if (way.kind === 'nrtm4') {
    // Loaded from the beginning, by the keys that are known: only another first key begins with that.
    const read = await fetchNotification(folder, way, state);
    await loadCopy(turn, snapshotObjects(folder, way, read, name), positionOf(read, read.snapshot.version, way.key));
    return null;
  }
  const serial = way.serial === null ? 0 : await readSerial(folder, way.serial);
  const position = { serial, asOf: now.toISOString(), session: null, firstKey: null, signingKey: null, nextKey: null, files: {} };
  await loadCopy(turn, dumpObjects(folder, way.dump, name), position);
  return null;
}

/** Writes objects into a copy of their own, and shows it once it is complete. What was written of one that fails is taken away. */
async function loadCopy(
  { context: { db, clock }, state }: Turn,
  objects: AsyncIterable<KeptObject | 'left'>,
  position: Position,
): Promise<void> {
  const copyId = await beginCopy(db, state.name, clock());
  const counts = { objects: 0, leftOut: 0 };
  let collected: KeptObject[] = [];
  let characters = 0;
  const write = async (): Promise<void> => {
    counts.objects += await addToCopy(db, copyId, collected);
    collected = [];
    characters = 0;
  };
  try {
    for await (const object of objects) {
      if (object === 'left') {
        counts.leftOut++;
        continue;
      }
      collected.push(object);
      characters += object.text.length;
      if (collected.length >= COLLECTED || characters >= COLLECTED_CHARACTERS) await write();
    }
    await write();
    if (counts.objects === 0) throw new SourceProblem(`There is no object of ${state.name} in it that is kept here.`);
    await showCopy(db, state, { copyId, ...counts }, position, clock());
  } catch (error) {
    // What can't be taken away now is by the next sweep.
    await dropCopy(db, copyId).catch(() => {});
    throw error;
  }
}

async function followChanges(turn: Turn): Promise<string | null> {
  const { context, source, state, folder } = turn;
  const { db, clock } = context;
  if (source.way.kind === 'nrtm4') {
    const read = await fetchNotification(folder, source.way, state);
    const deltas = deltasAfter(read, state);
    if (deltas === null) await noteLoadDue(db, state.name);
    else await applyDeltas(turn, read, deltas);
    if (isStale(read, clock()))
      throw new SourceProblem(`The update notification file is of ${read.timestamp}; it should be made anew each day.`);
    return null;
  }
  if (source.way.kind !== 'nrtm3') return null;
  let { serial } = state;
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const asked = clock();
    const slice = await nrtm3Changes(source.way, source.name, serial);
    if (slice === 'gap') {
      await noteLoadDue(db, state.name);
      return null;
    }
    const position = { ...state, serial: slice.serial, asOf: slice.more ? state.asOf : asked.toISOString() };
    if (!(await applyChanges(db, { ...state, serial }, slice.changes, position))) return null;
    serial = slice.serial;
    if (!slice.more) break;
  }
  return instantAfter(clock(), NRTM3_MS);
}

/** Applies deltas one after the other; those before one that is wrong stay applied. */
async function applyDeltas(
  { context: { db }, source, state, folder }: Turn,
  read: Awaited<ReturnType<typeof fetchNotification>>,
  deltas: readonly { version: number; url: string; hash: string }[],
): Promise<void> {
  const { way } = source;
  if (way.kind !== 'nrtm4') return;
  let { serial } = state;
  for (const delta of deltas) {
    const changes = await deltaChanges(folder, way, read, delta, source.name);
    if (!(await applyChanges(db, { ...state, serial }, changes, positionOf(read, delta.version, way.key)))) return;
    serial = delta.version;
  }
  // Without a delta too: the time of the notification, the keys and the hashes are those of the last one.
  if (deltas.length === 0) await applyChanges(db, state, [], positionOf(read, serial, way.key));
}
