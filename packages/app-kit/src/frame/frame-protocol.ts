import type { Challenge, RefusedCall, StoppedCall } from '@portal/api-client';
import type { ErrorItem } from '@portal/contract';
import type { Account } from '@portal/contract/accounts/accounts';
import type { Person } from '@portal/contract/identity/people';
import type { Environment } from '@portal/contract/shell/shell';
import type { InterruptedCall, Notice } from '../kit/kit.ts';
import type { ThemeChoice } from '../settings/theme.ts';
import type { HeldConfirmation } from '../step-up/held-confirmations.ts';

/** Messages from the shell to the framed page. */
export type ShellMessage =
  /** The session, sent once the frame is ready and whenever it changes. */
  | {
      type: 'session';
      person: Person;
      accounts: readonly Account[];
      closedAccounts: readonly Account[];
      account: Account | null;
      environment: Environment;
      theme: ThemeChoice;
      /** The bearer, for a page of another origin, which cannot read the portal's storage. */
      token?: string;
      /** The change that was interrupted for a second factor on the page at this address; the person is back. */
      returned?: InterruptedCall;
    }
  /** Who was there before the shell says again that it is ready. */
  | { type: 'ask' }
  /** Show another framed page in place: path without `.html`, query and hash. */
  | { type: 'navigate'; href: string }
  | { type: 'theme'; theme: ThemeChoice }
  /** The part of the frame that is on the screen, in px from its top. The frame keeps it as `--view-top` and `--view-height`. */
  | { type: 'viewport'; top: number; height: number }
  /** The person is about to open this framed page: load its code. */
  | { type: 'ahead'; href: string }
  /** Move the focus to the page's heading. */
  | { type: 'focus' }
  /** Answer to `renew`. */
  | { type: 'renewed'; request: number; renewed: boolean }
  /** Answer to `step-up`: what the person confirmed; null if they gave up. */
  | { type: 'stepped-up'; request: string; confirmation: HeldConfirmation | null }
  /** The person ended what they had confirmed, or their session ended. */
  | { type: 'confirmations-ended' };

/** Messages from the framed page to the shell. */
export type FrameMessage =
  | { type: 'ready' }
  /** The first page has its data and is drawn. */
  | { type: 'whole' }
  /** The frame shows this place now; the address bar follows. */
  | { type: 'location'; href: string; replace: boolean }
  /** Leave for another page of the portal. */
  | { type: 'navigate'; href: string }
  | { type: 'reload' }
  | { type: 'title'; title: string }
  | { type: 'height'; height: number }
  /** A point of the frame that should be on the screen, in px from its top. */
  | { type: 'scroll'; top: number }
  | { type: 'errors'; errors: readonly ErrorItem[] }
  | { type: 'report'; errors: readonly ErrorItem[]; call: RefusedCall }
  | { type: 'notice'; notice: Notice }
  | { type: 'palette' }
  /** A dialog of the frame dims the window, or no longer does. */
  | { type: 'dims'; dims: boolean }
  | { type: 'select-account'; accountName: string }
  /** Activity in the frame: the session is not idle. */
  | { type: 'activity' }
  | { type: 'renew'; request: number }
  /** A call of the frame needs a second factor: the shell asks the person about it. */
  | { type: 'step-up'; request: string; challenge: Challenge; call: StoppedCall }
  /** The interrupted change was made, or given up. */
  | { type: 'returned-ended' }
  | { type: 'sign-out' };

const version = 'portal-frame/1';
const shellTypes: readonly ShellMessage['type'][] = [
  'session',
  'navigate',
  'theme',
  'viewport',
  'ask',
  'ahead',
  'focus',
  'renewed',
  'stepped-up',
  'confirmations-ended',
];
// biome-ignore format: one line a direction
const frameTypes: readonly FrameMessage['type'][] = ['ready', 'whole', 'location', 'navigate', 'reload', 'title', 'height', 'scroll', 'errors', 'report', 'notice', 'palette', 'dims', 'select-account', 'activity', 'renew', 'step-up', 'returned-ended', 'sign-out'];

type Given = Pick<MessageEvent<unknown>, 'data' | 'origin' | 'source'>;

function read<M extends { type: string }>(event: Given, from: unknown, origin: string, types: readonly M['type'][]): M | null {
  if (event.source !== from || event.origin !== origin) return null;
  const data = event.data as { portal?: unknown; type?: unknown } | null;
  if (typeof data !== 'object' || data?.portal !== version || !types.includes(data.type as M['type'])) return null;
  return data as unknown as M;
}

/** A message of the shell, if that is what an event carries: from the window around the frame, of the own origin. */
export const readShellMessage = (event: Given, shell: unknown, origin: string): ShellMessage | null =>
  read<ShellMessage>(event, shell, origin, shellTypes);

/** A message of the framed page, if that is what an event carries: from the frame's window, of the frame's origin. */
export const readFrameMessage = (event: Given, frame: unknown, origin: string): FrameMessage | null =>
  read<FrameMessage>(event, frame, origin, frameTypes);

/**
 * Returns the origin of the portal around a framed page at `own`: the portal's if RESOURCE_MANAGER_URL puts framed pages on another
 * origin, otherwise the page's own. Messages go to no other origin.
 */
export function shellOrigin(environment: Pick<Environment, 'appUrl' | 'resourceManagerUrl'> | null, own: string): string {
  if (!environment || !URL.canParse(environment.resourceManagerUrl)) return own;
  return new URL(environment.resourceManagerUrl).origin === own ? new URL(environment.appUrl).origin : own;
}

type Receiver = Pick<Window, 'postMessage'>;

/** Sends a message to one origin only. */
export function postMessage(to: Receiver, origin: string, message: ShellMessage | FrameMessage): void {
  to.postMessage({ portal: version, ...message }, origin);
}

/** The address of a framed page: the page's path with `.html` (specification, section 2). */
export function frameAddress(href: string, resourceManagerUrl: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  return `${resourceManagerUrl}${path}.html${rest}`;
}
