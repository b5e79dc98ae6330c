import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { rolloverHours, rpki, type RpkiStatus } from '@portal/contract/rpki/rpki';
import { Button, DateText, formatDate, KeyValueList, Row, Sheet, Stack, StateMark, Steps } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useDateFormat } from '@portal/app-kit';
import { useState } from 'react';
import { ValidityBar } from './ValidityBar.tsx';

const steps = ['New key certified', 'Wait 24 hours', 'New key signs', 'Old key deleted'];
const stateWords = { current: 'Signs', new: 'Certified, not signing yet', old: 'Being withdrawn' } as const;

/** How far a rollover is: 0 before the new key is certified, 1 while it waits, 2 once it can sign, 3 while the old key is withdrawn; null without one. */
function stageOf({ keys, rollover }: RpkiStatus, now: number): 0 | 1 | 2 | 3 | null {
  if (rollover) {
    if (!keys.some(({ state, certificate }) => state === 'new' && certificate)) return 0;
    return now < Date.parse(rollover.activateFrom) ? 1 : 2;
  }
  return keys.some(({ state }) => state === 'old') ? 3 : null;
}

/** The keys of the account, and the three acts of a rollover with a day between them (RFC 6489). */
export function KeyRollover({ status }: { status: RpkiStatus }) {
  const { rollover } = status;
  const address = useAddress();
  const format = useDateFormat();
  const [now] = useState(() => Date.now());
  const refusals = { start: useRefusal(rpki.startRollover), activate: useRefusal(rpki.activateKey) };
  const stage = stageOf(status, now);
  if (status.mode === 'suspended' || status.keys.length === 0) return null;
  return (
    <Sheet
      title="Keys"
      actions={
        stage === null ? (
          <Button size="s" refusal={refusals.start} refusalIn="note" onClick={() => address.set({ act: 'roll' })}>
            Roll over the key
          </Button>
        ) : (
          rollover && (
            <Button
              size="s"
              variant="primary"
              refusalIn="note"
              refusal={
                refusals.activate ??
                (stage === 2
                  ? null
                  : { reason: `Validators need a day to learn the new key. From ${formatDate(rollover.activateFrom, format)} on` })
              }
              onClick={() => address.set({ act: 'activate' })}
            >
              Let the new key sign
            </Button>
          )
        )
      }
    >
      <Stack gap={16}>
        {stage !== null && <Steps label="Key rollover" steps={steps} current={stage} />}
        <RolloverBars status={status} stage={stage} />
        <KeyValueList
          items={status.keys.map(({ keyId, number, state, since }) => ({
            id: keyId,
            key: (
              <Row gap={8} wrap>
                <span>Key {number}</span>
                <StateMark state={state === 'current' ? 'valid' : state === 'new' ? 'pending' : 'closed'}>{stateWords[state]}</StateMark>
              </Row>
            ),
            value: (
              <>
                since <DateText value={since} />
              </>
            ),
          }))}
        />
      </Stack>
      <RolloverDialogs stage={stage} />
    </Sheet>
  );
}

/** The two acts, as the address asks for them. */
function RolloverDialogs({ stage }: { stage: ReturnType<typeof stageOf> }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const { notify } = useKit();
  const done = (text: string) => ({
    refresh: [rpki.getStatus, rpki.listHistory],
    onProposed: () => address.set({ act: null }),
    onDone: () => {
      address.set({ act: null });
      notify({ text });
    },
  });
  const start = useChange(rpki.startRollover, done('The new key is being made and certified. It can sign in 24 hours.'));
  const activate = useChange(rpki.activateKey, done('The new key takes over with the next publication.'));
  const open = address.get('act');
  return (
    <>
      <ConfirmDialog
        open={open === 'roll' && stage === null}
        onClose={() => address.set({ act: null })}
        title="Roll over the key?"
        act="Make a new key"
        busy={start.isPending}
        onAct={() => start.mutate({ account })}
      >
        <p>
          A new key is made and certified beside the present one. After 24 hours you let it sign. No ROA is missing at any time, and nothing
          in routing changes. It is worth doing after a suspected leak, or as your security policy asks.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'activate' && stage === 2}
        onClose={() => address.set({ act: null })}
        title="Let the new key sign?"
        act="Let it sign"
        busy={activate.isPending}
        onAct={() => activate.mutate({ account })}
      >
        <p>
          Every ROA is signed anew with it in one publication. The old key is deleted 24 hours later. Signed checklists made with the old
          key stop being valid: sign them again.
        </p>
      </ConfirmDialog>
    </>
  );
}

function RolloverBars({ status, stage }: { status: RpkiStatus; stage: ReturnType<typeof stageOf> }) {
  const old = status.keys.find(({ state }) => state === 'old');
  const { rollover } = status;
  return (
    <>
      {rollover && stage === 1 && (
        <ValidityBar
          label="Waiting time"
          from={rollover.startedAt}
          to={rollover.activateFrom}
          renewMs={0}
          renewal="then the new key can sign; decide"
          shape="date-time"
        />
      )}
      {old && stage === 3 && (
        <ValidityBar
          label="Withdrawal of the old key"
          from={old.since}
          to={instantAfter(old.since, rolloverHours * HOUR_MS)}
          renewMs={0}
          renewal="then the old key is deleted; nothing to do"
          shape="date-time"
        />
      )}
    </>
  );
}
