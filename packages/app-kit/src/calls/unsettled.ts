import type { Client, ClientOptions, UnansweredChange } from '@portal/api-client';
import { changeOutcomes } from '@portal/contract/shell/change-outcomes';
import { tabStorage } from '../auth/stored-user.ts';
import type { Notice } from '../kit/kit.ts';

/** Message while it is unknown whether a change was saved. */
const unsureWords = 'The connection broke while your change was being saved. Keep this page open to see whether it was saved.';

type Unsettled = UnansweredChange & { at: number };
const name = 'unsettled-changes';

function storedChanges(storage: Storage | null): Unsettled[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(name) ?? '[]');
    return Array.isArray(stored) ? (stored as Unsettled[]) : [];
  } catch {
    return [];
  }
}

function store(changes: readonly Unsettled[], storage: Storage | null): void {
  try {
    if (changes.length === 0) storage?.removeItem(name);
    else storage?.setItem(name, JSON.stringify(changes));
  } catch {
    // Storage is full: this page still reports the outcome of the change.
  }
}

const without = (key: string, storage: Storage | null): Unsettled[] => storedChanges(storage).filter(change => change.key !== key);

/** Returns a client's handler for unanswered changes: it notifies the person, and stores them in case the page is reloaded. */
export const unsettledChanges = (
  notify: (notice: Notice) => void,
  storage: Storage | null = tabStorage(),
): Pick<Required<ClientOptions>, 'unsure' | 'settled'> => ({
  unsure: change => {
    store([...without(change.key, storage), { ...change, at: Date.now() }], storage);
    notify({ kind: 'info', text: unsureWords });
  },
  settled: ({ key }, outcome) => {
    if (outcome === null) return;
    store(without(key, storage), storage);
    if (outcome === 'saved') notify({ text: 'Your change was saved.' });
  },
});

/** Asks about changes that were unanswered when the page was left, and notifies the person of each outcome. */
export async function settleStoredChanges(
  call: Client,
  notify: (notice: Notice) => void,
  storage: Storage | null = tabStorage(),
): Promise<void> {
  for (const { at, endpoint, key } of storedChanges(storage)) {
    const { data } = await call(changeOutcomes.settleChange, { body: { endpoint, key } });
    if (!data) continue;
    store(without(key, storage), storage);
    const time = new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    notify(
      data.outcome === 'saved'
        ? { text: `Your change from ${time} was saved.` }
        : { kind: 'info', text: `Your change from ${time} was not saved. Make it again if you still need it.` },
    );
  }
}
