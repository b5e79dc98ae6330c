import type { WhoisOutcome } from '@portal/contract/whois/whois';
import type { BadgeKind, IconName } from '@portal/ui';

/** Result of one object, or of its dry run. */
export type Outcome = Omit<WhoisOutcome, 'state'> & {
  id: string;
  state: WhoisOutcome['state'] | 'pending';
  /** The text as sent. */
  text: string;
  /** Its first line in the whole text; null without one. */
  line: number | null;
};

type Mark = { word: string; kind: BadgeKind; icon: IconName };
const done = { create: 'Created', modify: 'Changed', delete: 'Deleted' } as const;
const toDo = { create: 'Create', modify: 'Change', delete: 'Delete' } as const;
const icons = { create: 'plus', modify: 'edit', delete: 'trash' } as const satisfies Record<string, IconName>;

/** The word for what became of an object, or in a dry run what would. */
export function markOf({ state, done: what }: Pick<Outcome, 'state' | 'done'>, isDryRun: boolean): Mark {
  switch (state) {
    case 'pending':
      return { word: 'Waiting', kind: 'neutral', icon: 'waiting' };
    case 'unchanged':
      return { word: 'Unchanged', kind: 'neutral', icon: 'minus' };
    case 'failed':
      return { word: isDryRun ? 'Refused' : 'Failed', kind: 'invalid', icon: 'invalid' };
    case 'skipped':
      return { word: 'Left out', kind: 'warning', icon: 'warning' };
    case 'ok':
      return what === null
        ? { word: 'Done', kind: 'valid', icon: 'valid' }
        : isDryRun
          ? { word: toDo[what], kind: 'pending', icon: icons[what] }
          : { word: done[what], kind: 'valid', icon: icons[what] };
  }
}

/** Returns the number of results of each state, in words. */
export function countOutcomes(outcomes: readonly Pick<Outcome, 'state' | 'done'>[], isDryRun: boolean): string {
  const count = (test: (each: Pick<Outcome, 'state' | 'done'>) => boolean): number => outcomes.filter(test).length;
  const parts: [number, string][] = [
    [count(({ state, done: what }) => state === 'ok' && what === 'create'), isDryRun ? 'to create' : 'created'],
    [count(({ state, done: what }) => state === 'ok' && what === 'modify'), isDryRun ? 'to change' : 'changed'],
    [count(({ state, done: what }) => state === 'ok' && what === 'delete'), isDryRun ? 'to delete' : 'deleted'],
    [count(({ state }) => state === 'unchanged'), 'unchanged'],
    [count(({ state }) => state === 'failed'), isDryRun ? 'refused' : 'failed'],
    [count(({ state }) => state === 'skipped'), 'left out'],
  ];
  return parts.flatMap(([objects, words]) => (objects > 0 ? [`${objects} ${words}`] : [])).join(', ');
}
