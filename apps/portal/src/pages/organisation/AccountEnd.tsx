import { canMove } from '@portal/contract/life';
import { closureLife } from '@portal/contract/organisations/life';
import { fileKindsInWords } from '@portal/contract/file-kinds';
import { useAccount, useAddress, useChange, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { dayIn } from '@portal/contract/days';
import { type AccountClosure, accountClosures, resourceHandlings } from '@portal/contract/organisations/closures';
import { type Organisation, organisations } from '@portal/contract/organisations/organisations';
import { Button, DateText, Field, Section, Select, Stack, StateMark, TextArea, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { Quote } from '@portal/ui/text/Quote';
import { useState } from 'react';
import styles from './OrganisationPage.module.css';
import { closureStates, handlingWords } from '@portal/app-kit/words/organisation-words';

const refresh = [organisations.getOrganisation];
const Day = ({ day }: { day: string }) => <DateText value={day} shape="date" />;

/** Closing the account: the open request, or the form for one. */
export function AccountEnd({ organisation }: { organisation: Organisation }) {
  const { accountName, asStaff } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(accountClosures.requestAccountClosure);
  const { closure, delegations } = organisation;
  const isOpen = closure !== null && canMove(closureLife.withdraw, closure.state);
  const isAsking = address.get('act') === 'close' && !isOpen && refusal === null;
  return (
    <div className={styles.end}>
      <Section
        title={`Closing ${accountName}`}
        words="A corporate contact asks and the registry approves. The account closes on the date you choose."
      >
        <Stack gap={12} style={{ maxWidth: 'var(--measure)', justifyItems: 'start' }}>
          {isOpen ? (
            <OpenClosure closure={closure} />
          ) : (
            <>
              {delegations > 0 && (
                <p className="small muted">
                  It holds {delegations === 1 ? 'one delegation' : `${delegations} delegations`}. Number resources can be transferred to
                  another account instead of being returned.
                </p>
              )}
              {closure && <LastClosure closure={closure} />}
              {!asStaff && (
                <Button refusal={refusal} onClick={() => address.set({ act: 'close' })}>
                  Ask to close the account
                </Button>
              )}
            </>
          )}
        </Stack>
      </Section>
      {isAsking && <ClosureDialog organisation={organisation} onClose={() => address.set({ act: null })} />}
    </div>
  );
}

function LastClosure({ closure: { state, closeOn, resolvedBy, resolvedAt, note } }: { closure: AccountClosure }) {
  return (
    <p className="small muted">
      The last request, for <Day day={closeOn} />, was {closureStates[state].words} by {resolvedBy ?? 'the registry'}
      {resolvedAt && (
        <>
          {' '}
          on <DateText value={resolvedAt} shape="date" />
        </>
      )}
      .{note && ` They wrote: ${note}`}
    </p>
  );
}

function OpenClosure({ closure }: { closure: AccountClosure }) {
  const { accountName: account, asStaff } = useAccount();
  const { notify } = useKit();
  const refusal = useRefusal(accountClosures.withdrawAccountClosure);
  const withdraw = useChange(accountClosures.withdrawAccountClosure, {
    refresh,
    onDone: () => notify({ text: `Request withdrawn. ${account} stays as it is.` }),
  });
  const { state, words } = closureStates[closure.state];
  return (
    <>
      <div className={styles.pending}>
        <div>
          <span className={styles.wanted}>
            Closes on <Day day={closure.closeOn} />
          </span>{' '}
          <StateMark state={state}>{words}</StateMark>
        </div>
        <p className="small muted">
          {closure.reference}, {closure.requestedBy} on <DateText value={closure.requestedAt} shape="date" />. Number resources:{' '}
          {handlingWords[closure.resources].toLowerCase()}.
        </p>
        <Quote words={closure.reason} />
        {closure.note && (
          <>
            <p className="small muted">The registry writes:</p>
            <Quote words={closure.note} />
          </>
        )}
      </div>
      {!asStaff && (
        <Button busy={withdraw.isPending} refusal={refusal} onClick={() => withdraw.mutate({ account, closureId: closure.closureId })}>
          Keep the account
        </Button>
      )}
    </>
  );
}

type ClosureForm = { reason: string; closeOn: string; resources: AccountClosure['resources'] | ''; confirmation: string };

function ClosureDialog({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) {
  const { accountName: account, delegations } = organisation;
  const { notify, environment } = useKit();
  const [today] = useState(() => dayIn(environment.registryTimeZone, new Date()));
  const empty: ClosureForm = { reason: '', closeOn: '', resources: delegations === 0 ? 'none' : '', confirmation: '' };
  const draft = useDraft<ClosureForm>(`closure:${account}`, empty);
  const uploads = useUploads();
  const close = () => {
    draft.discard();
    onClose();
  };
  const ask = useChange(accountClosures.requestAccountClosure, {
    refresh,
    showsErrors: true,
    onProposed: close,
    onDone: ({ reference }) => {
      notify({ kind: 'info', text: `Sent to the registry (${reference}). The account stays as it is until it decides.` });
      close();
    },
  });
  const form = useForm(accountClosures.requestAccountClosure.body, empty, {
    name: 'closure',
    draft,
    also: ['documentIds'],
    toBody: values => ({ ...values, documentIds: [...uploads.documentIds] }),
    ifEmpty: { reason: 'Enter a reason', closeOn: 'Choose a date', resources: 'Choose what to do with the number resources' },
    check: ({ closeOn, confirmation }) => ({
      closeOn: closeOn !== '' && closeOn < today ? `The earliest day is today, ${today}` : undefined,
      documentIds: uploads.problem,
      confirmation: confirmation.trim() === account ? undefined : `Write ${account}`,
    }),
    change: ask,
    send: body => ask.mutate({ account, body }),
  });
  return (
    <Dialog open onClose={close} role="alertdialog" title={`Ask to close ${account}?`}>
      <ActForm form={form} act="Ask the registry" kind="danger" keep="Keep the account" onClose={close}>
        <p>On that day all contacts lose access, and the registry can reclaim remaining number resources. Nothing changes before then.</p>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
        <Field label="Day" help={`In ${environment.registryTimeZone.replaceAll('_', ' ')}.`} {...form.field('closeOn')}>
          <DateInput min={today} {...form.input('closeOn')} />
        </Field>
        {delegations > 0 && (
          <Field label="Number resources" {...form.field('resources')}>
            <Select
              value={form.values.resources}
              options={[
                { value: '', label: 'Choose' },
                ...resourceHandlings.filter(each => each !== 'none').map(value => ({ value, label: handlingWords[value] })),
              ]}
              onChange={event => form.set({ resources: event.target.value as ClosureForm['resources'] })}
            />
          </Field>
        )}
        <UploadField
          label="Documents"
          optional
          uploads={uploads}
          help={`Such as a board resolution. ${fileKindsInWords}.`}
          {...form.field('documentIds')}
        />
        <Field label={`Type ${account} to confirm`} {...form.field('confirmation')}>
          <TextInput mono {...form.input('confirmation')} spellCheck={false} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
