type Message =
  /** A refresh token was used; this is the resulting user, as stored. */
  { kind: 'used'; token: string; user: string } | { kind: 'who used it'; token: string };

/** How long, in ms, another tab may take to report that a refresh token is used up. */
const patienceMs = 250;

/** One refresh at a time in all tabs; where the browser has no locks (no secure context), at least one at a time in this one. */
const alone = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  (navigator.locks ? navigator.locks.request(name, act) : act()) as Promise<T>;

export type SharedRenewal = {
  /**
   * Renews with a refresh token that another tab may hold too.
   * @param refresh uses the token this tab holds and stores the new user
   * @returns true if this tab used the token itself, false if it adopted another tab's result
   */
  renew: (refresh: () => Promise<unknown>) => Promise<boolean>;
  close: () => void;
};

/**
 * Coordinates the tabs that hold the same refresh token. A duplicated tab starts with a copy of the session storage, and using a token
 * twice makes the provider revoke the whole family: so tabs take turns, and the one that renews passes the new user to those that hold the old one.
 * See docs/decisions/0013-refresh-tokens-in-several-tabs.md.
 * @param holds the refresh token this tab holds
 * @param current the stored user of this tab, as stored
 * @param adopt stores a user from another tab
 */
export function createSharedRenewal({
  clientId,
  holds,
  adopt,
  current,
}: {
  clientId: string;
  holds: () => Promise<string | null>;
  adopt: (user: string) => Promise<void>;
  current: () => Promise<string | null>;
}): SharedRenewal {
  const channel = new BroadcastChannel(`portal-renewal:${clientId}`);
  // Tokens whose successor this tab holds.
  const usedUp = new Set<string>();
  let adopted: (() => void) | null = null;

  const hear = async (message: Message): Promise<void> => {
    if (message.kind === 'used') {
      if ((await holds()) !== message.token) return;
      await adopt(message.user);
      usedUp.add(message.token);
      adopted?.();
    } else if (usedUp.has(message.token)) {
      const user = await current();
      if (user) channel.postMessage({ kind: 'used', token: message.token, user } satisfies Message);
    }
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => void hear(data);

  /** True when another tab had used the token and handed over what it got. */
  const takeOver = (token: string): Promise<boolean> =>
    new Promise(resolve => {
      const patience = setTimeout(() => done(false), patienceMs);
      const done = (found: boolean) => {
        clearTimeout(patience);
        adopted = null;
        resolve(found);
      };
      adopted = () => done(true);
      channel.postMessage({ kind: 'who used it', token } satisfies Message);
    });

  return {
    async renew(refresh) {
      const wanted = await holds();
      return alone(`portal-renewal:${clientId}`, async () => {
        const held = await holds();
        // Another tab handed its new user over while this one waited for its turn, or has it still.
        if (held !== wanted || (held !== null && (await takeOver(held)))) return false;
        await refresh();
        const user = await current();
        if (held !== null && user) {
          usedUp.add(held);
          channel.postMessage({ kind: 'used', token: held, user } satisfies Message);
        }
        return true;
      });
    },
    close: () => channel.close(),
  };
}
