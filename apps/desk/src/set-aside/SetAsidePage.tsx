import { Page, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { setAside, type SetAsideUnit } from '@portal/contract/tasks/set-aside';
import { Button, ButtonRow, DateText, EmptyState, KeyValueList, Link, Sheet, Stack } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

const refresh = [setAside.listSetAside];
const named = ({ queue, unit }: SetAsideUnit) => ({ queue, unit });

/** /desk/set-aside: work that ended the server twice, until one of the staff tries it again or drops it. Everything else goes on meanwhile. */
export default function SetAsidePage() {
  const { notify } = useKit();
  const { rows } = useAnswer(setAside.listSetAside, {});
  const [dropping, setDropping] = useState<SetAsideUnit | null>(null);
  const done = (text: string) => ({
    refresh,
    onDone: () => {
      setDropping(null);
      notify({ text });
    },
  });
  const retry = useChange(setAside.retrySetAside, done('It is tried again.'));
  const drop = useChange(setAside.dropSetAside, done('Dropped.'));
  const refusal = useRefusal(setAside.retrySetAside);
  const busy = retry.isPending || drop.isPending;
  return (
    <Page
      title={pages.deskSetAside.title}
      sub="Work that ended the server twice. It is not tried again automatically, and all other work goes on."
    >
      {rows.length === 0 ? (
        <Sheet title="Work set aside">
          <EmptyState title="No work is set aside" picture={false}>
            Tasks, messages and periodic work appear here when they end or hang the server twice.
          </EmptyState>
        </Sheet>
      ) : (
        <Stack gap={16}>
          {rows.map(unit => (
            <Sheet key={`${unit.queue} ${unit.unit}`} title={unit.title}>
              <Stack gap={12}>
                <KeyValueList align="left" items={factsOf(unit)} />
                <ButtonRow>
                  <Button busy={busy} refusal={refusal} onClick={() => retry.mutate({ body: named(unit) })}>
                    Try again
                  </Button>
                  {unit.mayDrop && (
                    <Button busy={busy} refusal={refusal} refusalIn="note" onClick={() => setDropping(unit)}>
                      Drop
                    </Button>
                  )}
                </ButtonRow>
              </Stack>
            </Sheet>
          ))}
        </Stack>
      )}
      <ConfirmDialog
        open={dropping !== null}
        onClose={() => setDropping(null)}
        title={`Drop ${dropping?.title ?? 'it'}?`}
        act="Drop"
        kind="danger"
        busy={busy}
        onAct={() => dropping && drop.mutate({ body: named(dropping) })}
      >
        <p>It is not done, and can’t be tried again. Tell the account if it waits for it.</p>
      </ConfirmDialog>
    </Page>
  );
}

const factsOf = ({ queueName, unit, accountName, setAsideAt, endedProcesses, sign }: SetAsideUnit) => [
  { key: 'Kind', value: `${queueName} ${unit}` },
  {
    key: 'Account',
    value: accountName === null ? 'The registry' : <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>,
  },
  { key: 'Set aside', value: <DateText value={setAsideAt} /> },
  { key: 'Servers ended', value: String(endedProcesses) },
  { key: 'Last error', value: sign ?? 'None was seen: the server ended without one, or hung' },
];
