import type { StoppedCall } from '@portal/api-client';
import { MINUTE_MS } from '@portal/contract/days';
import type { DeclaredEffect } from '@portal/contract/effects';
import { expect, it, vi } from 'vitest';
import { aRouter } from '../../test/member.tsx';
import { createHeldConfirmations, type HeldConfirmation } from './held-confirmations.ts';
import { createStepUps } from './step-ups.ts';

const challenge = { acrValues: null, maxAgeSeconds: 300, act: null, asked: null };
const callOf = (name: string, effect: DeclaredEffect = 'routing'): StoppedCall => ({
  endpoint: { id: `trials.${name}`, method: 'POST', path: '/', access: { who: 'signed-in' }, effect },
  input: {},
  act: { name },
});
const confirmed: HeldConfirmation = { confirmation: 'signed', effects: ['routing'], account: null, until: Date.now() + MINUTE_MS };

function open() {
  const router = aRouter('/resources/routes');
  const confirmations = createHeldConfirmations();
  const leadAway = vi.fn(() => Promise.resolve());
  return { router, confirmations, leadAway, stepUps: createStepUps({ router, confirmations, leadAway }) };
}
/** The outcome of a question: undefined while it waits. */
function ask({ stepUps }: ReturnType<typeof open>, call: StoppedCall) {
  const outcome: { is?: HeldConfirmation | null } = {};
  void stepUps.ask(challenge, call).then(is => (outcome.is = is));
  return outcome;
}
const settled = () => new Promise(resolve => setTimeout(resolve));
const names = ({ stepUps }: ReturnType<typeof open>) => stepUps.get()?.acts.map(({ call }) => call.act?.name);

it('a confirmed change goes on, and the confirmation is held for more of its kind', async () => {
  const page = open();
  const saved = ask(page, callOf('Save'));
  expect(names(page)).toEqual(['Save']);
  page.stepUps.confirm(page.stepUps.get()!, confirmed);
  await settled();
  expect([saved.is, page.stepUps.get()]).toEqual([confirmed, null]);
  expect(page.confirmations.of(callOf('Remove').endpoint, {})).toEqual(confirmed);
  for (const effect of ['votes', ['routing', 'keys'], undefined] as const)
    expect(page.confirmations.of({ access: { who: 'signed-in' }, effect }, {}), String(effect)).toBeUndefined();
});

it('a change that is given up is over, and is not asked about again', async () => {
  const page = open();
  const saved = ask(page, callOf('Save'));
  const pressed = page.stepUps.get()!;
  page.stepUps.cancel();
  await settled();
  expect([saved.is, page.stepUps.get()]).toEqual([null, null]);
  page.stepUps.confirm(pressed, confirmed);
  expect(page.stepUps.get()).toBeNull();
});

it.each(['/resources/whois', '/resources/routes?q=1', '/resources/routes#row'])('a step to %s gives everything up', async address => {
  const page = open();
  const outcomes = [ask(page, callOf('Save')), ask(page, callOf('Vote', 'votes'))];
  page.router.go(address);
  await settled();
  expect(outcomes.map(({ is }) => is)).toEqual([null, null]);
});

it('changes of one kind that wait together are named together; another kind is asked about afterwards', async () => {
  const page = open();
  const [one, vote, other] = [ask(page, callOf('Save')), ask(page, callOf('Vote', 'votes')), ask(page, callOf('Remove'))];
  expect(names(page)).toEqual(['Save', 'Remove']);
  page.stepUps.confirm(page.stepUps.get()!, confirmed);
  await settled();
  expect([one!.is, other!.is, vote!.is]).toEqual([confirmed, confirmed, undefined]);
  expect(names(page)).toEqual(['Vote']);
});

it('a confirmation that comes after Cancel confirms nothing that was asked about meanwhile, and is not held', async () => {
  const page = open();
  ask(page, callOf('Save'));
  const pressed = page.stepUps.get()!;
  page.stepUps.cancel();
  const other = ask(page, callOf('Remove'));
  page.stepUps.confirm(pressed, confirmed);
  page.stepUps.leave(pressed);
  await settled();
  expect([other.is, names(page), page.confirmations.get()]).toEqual([undefined, ['Remove'], []]);
  expect(page.leadAway).not.toHaveBeenCalled();
});

it('a press sends what was named when it was made; a change that came meanwhile has a question of its own', async () => {
  const page = open();
  const saved = ask(page, callOf('Save'));
  const pressed = page.stepUps.get()!;
  const late = ask(page, callOf('Remove'));
  page.stepUps.confirm(pressed, confirmed);
  await settled();
  expect([saved.is, late.is, names(page)]).toEqual([confirmed, undefined, ['Remove']]);
});

it('leaving for the provider ends the change here', async () => {
  const page = open();
  const saved = ask(page, callOf('Save'));
  page.stepUps.leave(page.stepUps.get()!);
  await settled();
  expect(page.leadAway).toHaveBeenCalledTimes(1);
  expect(saved.is).toBeNull();
});

it('a confirmation is for the account that it was given for', () => {
  const held = createHeldConfirmations();
  const { endpoint } = callOf('Save');
  const ofAccount = { ...endpoint, access: { who: 'contact' } } as const;
  held.hold({ ...confirmed, account: 'EXAMPLE-AU' });
  expect(held.of(ofAccount, { account: 'EXAMPLE-AU' })?.account).toBe('EXAMPLE-AU');
  expect([held.of(ofAccount, { account: 'SOUTHSITE-NZ' }), held.of(endpoint, {})]).toEqual([undefined, undefined]);
  // One for each account.
  held.hold({ ...confirmed, confirmation: 'another', account: 'SOUTHSITE-NZ' });
  expect(held.of(ofAccount, { account: 'EXAMPLE-AU' })?.confirmation).toBe('signed');
  held.drop('signed');
  expect(held.get().map(({ account }) => account)).toEqual(['SOUTHSITE-NZ']);
});

it('changes of two accounts, and each of a page of another origin, have questions of their own', async () => {
  const page = open();
  const ofAccount = (account: string): StoppedCall => ({
    ...callOf(`Save for ${account}`),
    endpoint: { ...callOf('Save').endpoint, access: { who: 'contact' } },
    input: { account },
  });
  ask(page, ofAccount('EXAMPLE-AU'));
  ask(page, ofAccount('SOUTHSITE-NZ'));
  expect(names(page)).toEqual(['Save for EXAMPLE-AU']);
  page.stepUps.cancel();
  for (const asked of ['one', 'two']) void page.stepUps.ask({ ...challenge, asked }, callOf(asked), true);
  expect(names(page)).toEqual(['one']);
});

it('a confirmation ends with its time, and when the person ends it', () => {
  let now = 0;
  const held = createHeldConfirmations(() => now);
  const { endpoint } = callOf('Save');
  held.hold({ ...confirmed, until: 1000 });
  expect(held.of(endpoint, {})).toBeDefined();
  now = 1000;
  expect(held.of(endpoint, {})).toBeUndefined();
  held.hold({ ...confirmed, until: 2000 });
  held.end();
  expect(held.get()).toEqual([]);
});
