import { newReceipt, sealReceipt } from '../src/modules/ballots/index.ts';
import { ownBallots, readHandOver } from '../src/modules/elections/index.ts';
import type { Secrets } from '../src/platform/secret-box.ts';

/** Fields of the form of a plain ballot: the receipt, and the seal that says that it was made here. */
export type Slip = { receipt: string; seal: string };

/** The slip in the page of a ballot; empty where the page is another one. */
export const slipIn = (page: string): Slip => ({
  receipt: /name="sealed" value="([0-9A-Z]{16})\./.exec(page)?.[1] ?? '',
  seal: /name="sealed" value="[0-9A-Z]{16}\.([\w-]{43})"/.exec(page)?.[1] ?? '',
});

/** A slip as the program makes one for the address of a ballot. */
export function ownSlip(config: Secrets & { appUrl: string }, address: string): Slip {
  const query = Object.fromEntries(new URL(address, config.appUrl).searchParams);
  const receipt = newReceipt();
  return { receipt, seal: sealReceipt(config, readHandOver(ownBallots(config).secret, query)!, receipt) };
}

/** The form as its last page sends it: confirmed. */
export const castForm = ({ receipt, seal }: Slip, choices: readonly (string | number)[]): string =>
  new URLSearchParams([
    ['sealed', `${receipt}.${seal}`],
    ...choices.map((choice): [string, string] => ['choice', String(choice)]),
    ['sure', 'yes'],
    ['step', 'cast'],
  ]).toString();
