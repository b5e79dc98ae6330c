import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type EventSpaceList, eventSpace } from '@portal/contract/requests/event-space';
import { Button, DateText, Field, Link, Sheet, StateMark, TextArea } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import styles from './AccountPage.module.css';

type Row = EventSpaceList['rows'][number];

/** The space that an account holds for events. When an event goes on, staff set a later last day here. */
export function AccountEventSpace({ accountName, own }: { accountName: string; own: boolean }) {
  const list = useAnswer(eventSpace.listEventSpace, { accountName });
  const refusal = useRefusal(eventSpace.extendEventSpace);
  const [extending, setExtending] = useState<Row | null>(null);
  if (list.rows.length === 0) return null;
  const against = ({ over, openReturn }: Row) =>
    refusal ??
    (own ? { reason: 'You’re a contact of this account, so someone else has to do this' } : null) ??
    (openReturn && !over ? { reason: `The member returns it early with ${openReturn.reference}. Decide that request first` } : null);
  return (
    <Sheet title="Space for events" id="event-space">
      <ul className={styles.lines}>
        {list.rows.map(row => (
          <li key={row.delegationId}>
            <div>
              <div className="mono">{row.resource}</div>
              <StateMark state={row.over ? 'warning' : 'valid'} plain>
                {row.over ? 'Ended on' : 'Until'} <DateText value={row.endsOn} shape="date" />
              </StateMark>{' '}
              {row.openReturn && (
                <Link href={`/desk/requests/transfers-${row.openReturn.requestId}`}>Return {row.openReturn.reference}</Link>
              )}
            </div>
            <Button size="s" refusal={against(row)} onClick={() => setExtending(row)}>
              Set a later last day
            </Button>
          </li>
        ))}
      </ul>
      {extending && <LaterLastDay row={extending} list={list} onClose={() => setExtending(null)} />}
    </Sheet>
  );
}

function LaterLastDay({ row, list: { earliest, latest }, onClose }: { row: Row; list: EventSpaceList; onClose: () => void }) {
  const { notify } = useKit();
  const { resource, endsOn, openReturn, delegationId } = row;
  const extend = useChange(eventSpace.extendEventSpace, {
    refresh: [eventSpace.listEventSpace],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${resource} has a later last day. The account gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    eventSpace.extendEventSpace.body,
    { endsOn, until: '', reason: '' },
    {
      name: 'later-last-day',
      ifEmpty: { until: 'Choose the new last day', reason: 'Enter a reason. The member sees it.' },
      check: ({ until }) =>
        until !== '' && (until <= endsOn || until < earliest) ? { until: 'Choose a later day than the last day so far' } : {},
      change: extend,
      send: body => extend.mutate({ delegationId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Later last day for ${resource}`}>
      <ActForm form={form} act="Set last day" onClose={onClose}>
        {openReturn && (
          <p>
            {openReturn.reference}, which the registry opened after the last day, is rejected with your reason. {resource} stays with the
            account.
          </p>
        )}
        <Field
          label="Last day"
          help={
            <>
              So far <DateText value={endsOn} shape="date" />. On the day after the last day, the registry opens the return.
            </>
          }
          {...form.field('until')}
        >
          <DateInput min={earliest} max={latest} {...form.input('until')} />
        </Field>
        <Field label="Reason" help="The member sees it." {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
