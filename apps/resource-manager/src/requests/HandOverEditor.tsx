import { useAccount, useAddress, useAnswer, useKit, useSession } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { later } from '@portal/app-kit/page/later';
import { money } from '@portal/app-kit/words/billing-words';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { RequestForm } from '@portal/contract/requests/request-form';
import { type RequestCheck, requests, type ResourceRequestDetail, type TransferPlan } from '@portal/contract/requests/requests';

import { DateText, formatCount, Grid, KeyValueList, Link, Panel, Sheet, SkeletonLines, Stack, StateMark } from '@portal/ui';
import { type ReactNode, Suspense, useState } from 'react';
import { caseAddress, checkMarks } from '../shell/case-words.ts';
import { DraftDocuments } from './DraftDocuments.tsx';
import { asChosen, type DraftForm, useDraftForm } from './draft-form.ts';
import { OwnResources, ReasonFields, RecipientFields } from './HandOverFields.tsx';
import styles from './HandOverEditor.module.css';
import { movesWords, pickable } from './movable.ts';
import { MovePlan } from './MovePlan.tsx';
import { PartyTimeline } from './PartyTimeline.tsx';
import { PolicyLink } from './PolicyLink.tsx';
import { SendDraft } from './SendDraft.tsx';
import { needsOf, risksOf } from './plan-check.ts';
import { RoutingSteps } from './RoutingSteps.tsx';

const BlockPicker = later(() => import('../shell/BlockPicker.tsx'), 'BlockPicker');
const TransferOutlook = later(() => import('./TransferOutlook.tsx'), 'TransferOutlook');
const FeeRange = later(() => import('./TransferOutlook.tsx'), 'FeeRange');
const KeepsAndGets = later(() => import('./KeepsAndGets.tsx'), 'KeepsAndGets');

type Kind = 'transfer' | 'acquisition' | 'return';

/** The draft of a transfer, merger or return: what moves, on the picture of the holding; its effects step by step; and all that is known before it is sent. */
export function HandOverEditor({ kind, request }: { kind: Kind; request: ResourceRequestDetail }) {
  const { notify } = useKit();
  const address = useAddress();
  const draft = useDraftForm(request, {
    onSent(sent) {
      notify({ text: `${sent.reference} was sent.` });
      address.go(caseAddress(sent));
    },
    risksOf,
  });
  const { latest, form, answers, errors, onChange } = draft;
  // By the permission alone: the calls of the map are loaded with it.
  const seesMap = useSession().account?.permissions.includes('resources-view') ?? false;
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(requests.listMovable, { account });
  const holdings = pickable(kind, rows);
  const picks = seesMap && kind !== 'acquisition' && holdings.length > 0;
  const plan = latest.plan && asChosen(latest.plan, answers);
  const shown = { ...latest, plan, form: answers };
  // Its plan begins with a block, and another registry has its own rules.
  const hasOutlook = kind === 'transfer' && answers.otherRegistry === '' && (plan === null || plan.moves.length === 0);
  return (
    <Form form={form} label="Your request" bare>
      <Stack gap={16}>
        <Grid columns="split-wide">
          <Stack gap={16}>
            {kind !== 'return' && (
              <Sheet title="Recipient">
                <RecipientFields kind={kind} form={answers} errors={errors} onChange={onChange} />
              </Sheet>
            )}
            <Sheet title={kind === 'acquisition' ? 'Resources' : 'Block'} meta={draft.savedWords}>
              <Stack gap={16}>
                {picks && (
                  <Suspense fallback={<SkeletonLines lines={10} label="Loading the address map" />}>
                    <BlockPicker
                      holdings={holdings}
                      moves={movesWords[kind]}
                      chosen={answers.resources}
                      smallest={latest.terms.ipv4Smallest}
                      onChange={(chosen: string[]) => onChange({ resources: chosen })}
                    />
                  </Suspense>
                )}
                <OwnResources
                  kind={kind}
                  form={answers}
                  errors={errors}
                  smallest={latest.terms.ipv4Smallest}
                  onlyOthers={picks}
                  onChange={onChange}
                />
              </Stack>
            </Sheet>
            <Sheet title="Details">
              <Grid columns={2}>
                <Stack gap={16}>
                  <ReasonFields kind={kind} form={answers} errors={errors} onChange={onChange} />
                </Stack>
                <DraftDocuments documents={latest.documents} uploads={draft.uploads} error={errors.documents} />
              </Grid>
            </Sheet>
          </Stack>
          <BeforeSending kind={kind} draft={draft} plan={plan} />
        </Grid>
        {plan && <RoutingSteps plan={plan} steps={kind === 'return' ? ['Sent'] : ['Sent', 'Acknowledged']} />}
        {plan && (
          <MovePlan
            plan={plan}
            holdDays={latest.terms.holdDays}
            asks={latest.reference}
            onPlan={change => onChange({ plans: change(answers.plans) })}
          />
        )}
        {hasOutlook ? (
          <Suspense>
            <TransferOutlook rows={rows} to={answers.recipient.trim().toUpperCase()} />
          </Suspense>
        ) : (
          <>
            <PartyTimeline request={shown} />
            <Suspense>
              <KeepsAndGets request={shown} />
            </Suspense>
          </>
        )}
      </Stack>
    </Form>
  );
}

/** Objects that need attention are listed beside the button up to this number. */
const NEEDED = 5;

/** Label of the button, and what sending does. */
function sendingOf(kind: Kind, { otherRegistry, recipient }: RequestForm, account: string): { act: string; words: string } {
  const to = recipient.trim().toUpperCase() || 'the recipient';
  if (kind === 'return')
    return {
      act: 'Send return',
      words:
        'When the registry confirms it, whois objects, reverse DNS and ROAs of the space are deleted. That can’t be undone. You can withdraw the return until then.',
    };
  if (otherRegistry !== '')
    return {
      act: 'Send transfer',
      words:
        'The block is locked immediately. Both registries have to approve the transfer. You can withdraw it until we do; after that it can’t be undone.',
    };
  return {
    act: `Offer to ${to}`,
    words: `${kind === 'transfer' ? 'The block is' : 'The resources are'} locked immediately. ${account} can withdraw until ${to} acknowledges; after that it can’t be undone.`,
  };
}

function BeforeSending({ kind, draft, plan }: { kind: Kind; draft: DraftForm; plan: TransferPlan | null }) {
  const { accountName: account } = useAccount();
  const [now] = useState(() => Date.now());
  const { latest, answers } = draft;
  const { act, words } = sendingOf(kind, answers, account);
  const { fee, terms } = latest;
  const needed = plan ? needsOf(plan) : [];
  const toDo = latest.checks.filter(({ state }) => state === 'unmet').length;
  const named = answers.recipient.trim().toUpperCase();
  return (
    <Panel
      pending
      title="Before you send"
      actions={
        toDo === 0 ? (
          plan &&
          (needed.length > 0 ? (
            <StateMark state="warning" plain>
              Can be sent, {needed.length === 1 ? '1 warning' : `${formatCount(needed.length)} warnings`}
            </StateMark>
          ) : (
            <StateMark state="valid" plain>
              Policy is met
            </StateMark>
          ))
        ) : (
          <StateMark state="invalid" plain>
            {toDo === 1 ? '1 rule isn’t met' : `${toDo} rules aren’t met`}
          </StateMark>
        )
      }
      footer={
        <Stack gap={12} style={{ width: '100%' }}>
          <SendDraft draft={draft} act={act} />
          <p className="small muted">{words}</p>
          {latest.expiresAt && (
            <p className="small quiet">
              The draft is kept until <DateText value={latest.expiresAt} shape="date" />.
            </p>
          )}
        </Stack>
      }
    >
      <Findings checks={latest.checks} needed={needed} kind={kind} />
      <KeyValueList
        items={[
          ...(kind === 'return'
            ? []
            : [
                {
                  key: 'Transfer fee',
                  value: !plan ? (
                    <FeeBefore kind={kind} />
                  ) : plan.fee === null ? (
                    'None'
                  ) : plan.fee.amount === null ? (
                    'Fees aren’t announced yet'
                  ) : (
                    <Noted note={plan.fee.payer === account ? 'you pay' : `${plan.fee.payer ?? 'the recipient'} pays`}>
                      {money(plan.fee.currency, plan.fee.amount)}
                    </Noted>
                  ),
                },
              ]),
          ...(fee
            ? [
                {
                  key: 'Your annual fee',
                  value: <Noted note={`now ${money(fee.currency, fee.now)}`}>{money(fee.currency, fee.after)}</Noted>,
                },
              ]
            : []),
          ...(kind !== 'return' && answers.otherRegistry === ''
            ? [
                {
                  key: 'Acknowledged by',
                  value: (
                    <Noted note={`${named || 'the recipient'} has ${terms.acknowledgeDays} days`}>
                      <DateText value={instantAfter(now, terms.acknowledgeDays * DAY_MS)} shape="date" />
                    </Noted>
                  ),
                },
              ]
            : []),
        ]}
      />
      {plan?.fee?.unless && <p className="small quiet">No transfer fee if {plan.fee.unless}.</p>}
      {fee && (
        <p className="small quiet">
          Amounts are without tax. Annual fee by today’s schedule, from your next renewal.
          {kind !== 'acquisition' && ' There is no refund for the current term.'}
        </p>
      )}
    </Panel>
  );
}

/** Lists what needs attention first, then the rules. */
function Findings({ checks, needed, kind }: { checks: readonly RequestCheck[]; needed: ReturnType<typeof needsOf>; kind: Kind }) {
  return (
    <ul className={styles.checks}>
      {needed.slice(0, NEEDED).map(({ name, words }) => (
        <li key={`${name} ${words}`}>
          <StateMark state="warning" plain>
            <span className="vh">Needs attention: </span>
            <span className="strong mono">{name}</span>
          </StateMark>
          <span className={styles.known}>{words}</span>
        </li>
      ))}
      {needed.length > NEEDED && <li className="small quiet">And {formatCount(needed.length - NEEDED)} more in the plan below</li>}
      {checks.map(check => (
        <CheckLine key={check.checkId} check={check} kind={kind} />
      ))}
    </ul>
  );
}

/** The fee of a draft without a block. */
const FeeBefore = ({ kind }: { kind: Kind }) =>
  kind === 'transfer' ? (
    <Suspense fallback="Once a block is chosen">
      <Noted note="by the size of the block">
        <FeeRange />
      </Noted>
    </Suspense>
  ) : (
    'Once a block is chosen'
  );

/** A value with a note below it. */
const Noted = ({ note, children }: { note: string; children: ReactNode }) => (
  <span className={styles.noted}>
    <span className="nw">{children}</span>
    <span className="small quiet">{note}</span>
  </span>
);

function CheckLine({ check, kind }: { check: RequestCheck; kind: Kind }) {
  const { fact, known, state, fix } = check;
  const mark = checkMarks[state];
  return (
    <li>
      <StateMark state={mark.state} plain>
        <span className="vh">{mark.words}: </span>
        <span className="strong">{fact}</span>
      </StateMark>
      <span className={styles.known}>
        {known}
        {state !== 'met' && (
          <>
            {'. '}
            <PolicyLink check={check} kind={kind} />
          </>
        )}
        {state === 'unmet' && fix && (
          <>
            {'. '}
            <Link href={fix.path}>{fix.label}</Link>
          </>
        )}
      </span>
    </li>
  );
}
