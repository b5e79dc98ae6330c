import { changedSearch, Page, useAccount, useAnswer, useChange, useDownload, useKit, usePlace } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Permission, permissions } from '@portal/contract';
import { accessReviews } from '@portal/contract/contacts/access-reviews';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  Checkbox,
  DateText,
  EmptyState,
  Field,
  Segmented,
  Sheet,
  Stack,
  StateMark,
  TextInput,
} from '@portal/ui';
import { useAllContacts } from '../contact-acts.ts';
import { countWords, listWords, typeWords } from '../contact-words.ts';
import styles from '../../../shell/People.module.css';

type Decision = 'keep' | 'narrow' | 'remove';
type Line = { decision: Decision | null; permissions: readonly Permission[]; reason: string };
const undecided: Line = { decision: null, permissions: [], reason: '' };

/** Returns what is wrong with a decision; undefined if it can be made. */
function wrongOf(line: Line): string | undefined {
  if (line.decision === null) return 'Decide about this contact';
  if (line.decision === 'narrow' && line.permissions.length === 0) return 'Choose what to remove';
  return line.decision !== 'keep' && line.reason.trim() === '' ? 'Enter a reason' : undefined;
}

/** The yearly review of everyone who acts for the account: each is kept, narrowed or removed, all in one change. */
export default function ReviewPage() {
  const { accountName: account, contactTypes } = useAccount();
  const { path, search } = usePlace();
  const { last, due, dueFrom } = useAnswer(accessReviews.getAccessReview, { account });
  const save = useDownload(accessReviews.exportAccessReviews);
  const others = useAllContacts().filter(({ isMe, status }) => !isMe && status === 'active');
  const form = useReviewForm(others);
  const lineOf = (id: string): Line => form.values[id] ?? undecided;
  const set = (id: string, line: Partial<Line>) => form.set({ [id]: { ...lineOf(id), ...line } });
  const open = others.filter(({ contactId }) => wrongOf(lineOf(contactId)) !== undefined).length;
  const back = path + changedSearch(search, { view: null });
  const may = contactTypes.includes('corporate');
  return (
    <Page
      title="Access review"
      sub={`Once a year, check that everyone still acts for ${account} and needs their permissions.`}
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: 'Review' }]} />}
      actions={
        last && (
          <Button icon="download" onClick={() => void save({ account, query: { format: 'csv' } })}>
            All reviews as CSV
          </Button>
        )
      }
    >
      <Stack gap={16}>
        <Banner kind={due ? 'warning' : 'info'} title={due ? 'A review is due.' : `The next review is due from ${dueFrom}.`}>
          {last ? (
            <>
              Last on <DateText value={last.reviewedAt} shape="date" /> by {last.reviewedBy}: {last.kept} kept, {last.narrowed} narrowed,{' '}
              {last.removed} removed.
            </>
          ) : (
            'No review yet.'
          )}
        </Banner>
        <FormProblems form={form} />
        <Form form={form} label="Access review" bare>
          <Sheet
            title="Contacts besides you"
            flush
            footer={
              may &&
              others.length > 0 && (
                <ButtonRow>
                  <Button type="submit" variant="commit" busy={form.busy}>
                    Finish the review
                  </Button>
                  <Button
                    variant="quiet"
                    onClick={() =>
                      form.set(
                        Object.fromEntries(
                          others.map(({ contactId }) => [
                            contactId,
                            { ...lineOf(contactId), decision: lineOf(contactId).decision ?? 'keep' },
                          ]),
                        ),
                      )
                    }
                  >
                    Keep all others
                  </Button>
                  <span className="small quiet">
                    {open > 0 ? `${countWords(open, 'contact', 'contacts')} to decide` : 'All contacts are decided'}
                  </span>
                </ButtonRow>
              )
            }
          >
            {others.length === 0 ? (
              <EmptyState title="No other contacts">You’re the only contact of {account}.</EmptyState>
            ) : (
              <ul className={styles.list}>
                {others.map(contact => (
                  <ReviewLine
                    key={contact.contactId}
                    contact={contact}
                    line={lineOf(contact.contactId)}
                    field={form.field(contact.contactId)}
                    onChange={may ? line => set(contact.contactId, line) : undefined}
                  />
                ))}
              </ul>
            )}
          </Sheet>
        </Form>
      </Stack>
    </Page>
  );
}

/** The form of a review, with a field for each contact, since every one is decided about. */
function useReviewForm(others: readonly Contact[]) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const review = useChange(accessReviews.reviewAccess, {
    refresh: [accessReviews.getAccessReview, contacts.listContacts],
    showsErrors: true,
    onDone: ({ waiting }) => {
      form.reset();
      notify({
        text: `Review complete. ${waiting.length > 0 ? `Sent to the registry: ${listWords(waiting)}.` : 'The next one is due in a year.'}`,
      });
    },
  });
  const form = useForm(
    accessReviews.reviewAccess.body,
    Object.fromEntries(others.map(({ contactId }) => [contactId, undecided])) as Record<string, Line>,
    {
      name: 'access-review',
      toBody: lines => ({
        decisions: others.map(({ contactId, version }) => {
          const { decision, permissions: removed, reason } = lines[contactId] ?? undecided;
          const isKept = decision === 'keep' || decision === null;
          return {
            contactId,
            version,
            decision: decision ?? 'keep',
            permissions: decision === 'narrow' ? removed : [],
            reason: isKept ? '' : reason,
          };
        }),
      }),
      fieldAt: place => others[Number(/^decisions\.(\d+)/.exec(place)?.[1])]?.contactId ?? place,
      check: lines =>
        Object.fromEntries(others.map(({ contactId }) => [contactId, wrongOf(lines[contactId] ?? undecided)])) as Record<string, string>,
      change: review,
      send: body => review.mutate({ account, body }),
    },
  );
  return form;
}

function ReviewLine({
  contact,
  line,
  field: { id, error: wrong },
  onChange,
}: {
  contact: Contact;
  line: Line;
  field: { id: string; error: string | undefined };
  onChange: ((line: Partial<Line>) => void) | undefined;
}) {
  const { fullName, contactTypes, permissions: held, lastSignInAt, hasSecondFactor, dormant } = contact;
  const corporate = contactTypes.includes('corporate');
  return (
    <li id={line.decision === null || line.decision === 'keep' ? id : undefined} tabIndex={-1}>
      <div className={styles.words}>
        <div className="strong">{fullName}</div>
        <div className="small quiet">
          {contactTypes.map(type => typeWords[type]).join(', ')}, {held?.length ?? 0} permissions,{' '}
          {hasSecondFactor ? 'two-factor on' : 'no two-factor'},{' '}
          {lastSignInAt ? (
            <>
              last signed in <DateText value={lastSignInAt} shape="date" />
            </>
          ) : (
            'never signed in'
          )}
          {dormant && ', dormant'}
        </div>
      </div>
      {onChange && (
        <Segmented<Decision | ''>
          label={`Decision about ${fullName}`}
          value={line.decision ?? ''}
          options={[
            { value: 'keep', label: 'Keep' },
            ...(corporate ? [] : [{ value: 'narrow' as const, label: 'Narrow' }]),
            { value: 'remove', label: corporate ? 'Ask to remove' : 'Remove' },
          ]}
          onChange={decision => decision !== '' && onChange({ decision })}
        />
      )}
      {wrong !== undefined && (line.decision === null || line.decision === 'keep') && <StateMark state="invalid">{wrong}</StateMark>}
      {onChange && (line.decision === 'narrow' || line.decision === 'remove') && (
        <div className={styles.more}>
          {line.decision === 'narrow' && (
            <fieldset>
              <legend className="small quiet">Removed from {fullName}</legend>
              <div className={styles.choices}>
                {(held ?? []).map(key => (
                  <Checkbox
                    key={key}
                    checked={line.permissions.includes(key)}
                    onChange={event =>
                      onChange({
                        permissions: event.target.checked ? [...line.permissions, key] : line.permissions.filter(each => each !== key),
                      })
                    }
                  >
                    {permissions[key].label}
                  </Checkbox>
                ))}
              </div>
            </fieldset>
          )}
          <Field label="Reason" id={id} error={wrong}>
            <TextInput value={line.reason} maxLength={500} onChange={event => onChange({ reason: event.target.value })} />
          </Field>
        </div>
      )}
    </li>
  );
}
