import {
  changedSearch,
  type Draft,
  Page,
  useAccount,
  useAddress,
  useChange,
  useDraft,
  useKit,
  usePlace,
  useSession,
  WhyNot,
} from '@portal/app-kit';
import { type Contact, contacts } from '@portal/contract/contacts';
import { type Permission, whyNotGrantable } from '@portal/contract/permissions';
import {
  Badge,
  Banner,
  Breadcrumb,
  Button,
  Checkbox,
  Chip,
  DateText,
  EmptyState,
  ErrorSummary,
  Field,
  FormColumn,
  Grid,
  KeyValueList,
  Link,
  LinkButton,
  Panel,
  Row,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useAsking, useConfirmation, useEverybody, useResend, useWays } from './contact-acts.ts';
import {
  changeOf,
  type ContactForm,
  decisionsOf,
  diffBetween,
  diffOf,
  formOf,
  isCorporate,
  isTouched,
  rebased,
  registryDecides,
  roleOf,
  tick,
  typesInOrder,
} from './contact-form.ts';
import type { End } from './ContactEnd.tsx';
import { ContactChanges } from './ContactChanges.tsx';
import { ContactMarks, SecondFactorMark } from './ContactMarks.tsx';
import styles from './ContactPage.module.css';
import { ContactTypesField } from './ContactTypesField.tsx';
import { whyDetailsStay, whyRoleStays, whyStays } from './contact-ways.ts';
import { contactOf, countWords, listWords, permissionWords, registryWords, typeWords } from './contact-words.ts';
import { problemsOfDetails, refusedFields } from './invitation-form.ts';
import { PermissionList } from './PermissionList.tsx';

const ContactEnd = lazy(() => import('./ContactEnd.tsx').then(module => ({ default: module.ContactEnd })));
const HandOverPage = lazy(() => import('./HandOverPage.tsx'));
const HelperEnd = lazy(() => import('./HelperEnd.tsx').then(module => ({ default: module.HelperEnd })));
const ContactEmail = lazy(() => import('./ContactEmail.tsx').then(module => ({ default: module.ContactEmail })));
const ends: readonly End[] = ['remove', 'withdraw', 'leave', 'ask'];

/** One contact of the account: who it is, what it may do, and, for those who may, the way to change that. */
export function ContactPage({ contactId }: { contactId: string }) {
  const { path, search } = usePlace();
  const back = path + changedSearch(search, { contact: null, act: null });
  const contact = useEverybody().find(each => each.contactId === contactId);
  const act = useAddress().get('act');
  const { contactTypes } = useAccount();
  const breadcrumb = (name: string) => <Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: name }]} />;
  if (!contact)
    return (
      <Page title="Account contacts" breadcrumb={breadcrumb('Contact')}>
        <Sheet>
          <EmptyState title="There is no such contact" action={<LinkButton href={back}>See all contacts</LinkButton>}>
            Whoever stood at this address was removed, or belongs to another account.
          </EmptyState>
        </Sheet>
      </Page>
    );
  if (act === 'leaver' && !contact.isMe && contactTypes.includes('corporate')) return <HandOverPage contact={contact} />;
  return (
    <Page
      title={contact.fullName}
      heading={
        <>
          {contact.fullName} {contact.isMe && <Badge kind="line">you</Badge>}
        </>
      }
      sub={
        <span className={styles.sub}>
          {contact.email} <ContactMarks contact={contact} />
        </span>
      }
      breadcrumb={breadcrumb(contact.fullName)}
      actions={<ContactActs contact={contact} />}
    >
      <Editor contact={contact} />
      <Ending contact={contact} />
      <Dialogs contact={contact} />
    </Page>
  );
}

/** The dialog for another address or another last day, while the page's address asks for it. */
function Dialogs({ contact }: { contact: Contact }) {
  const address = useAddress();
  const { contactTypes } = useAccount();
  const { change } = useWays();
  const may = contact.isMe || (change.by === 'doing' && whyDetailsStay(contact, { contactTypes }) === null);
  const act = address.get('act');
  if (act === 'helper-end' && change.by === 'doing' && contact.helperUntil)
    return (
      <Suspense>
        <HelperEnd contact={contact} until={contact.helperUntil} onClose={() => address.set({ act: null })} />
      </Suspense>
    );
  if (act !== 'email' || !may || contact.status !== 'ACTIVE') return null;
  return (
    <Suspense>
      <ContactEmail contact={contact} onClose={() => address.set({ act: null })} />
    </Suspense>
  );
}

/** Acts on the contact as a whole. */
function ContactActs({ contact }: { contact: Contact }) {
  const { accountName, contactTypes, asStaff } = useAccount();
  const { remove } = useWays();
  const resend = useResend();
  const address = useAddress();
  const begin = (act: End | 'email' | 'leaver' | 'helper-end') => address.set({ act });
  if (asStaff) return null;
  if (contact.isMe)
    return (
      <>
        <Button icon="mail" onClick={() => begin('email')}>
          Another address
        </Button>
        <Button onClick={() => begin('leave')}>Leave {accountName}</Button>
      </>
    );
  if (remove.by === 'asking') return <Button onClick={() => begin('ask')}>Ask to remove</Button>;
  if (remove.by !== 'doing') return null;
  const reason = whyStays(contact, { contactTypes });
  const refusal = reason ? { reason } : null;
  const helperEnd = contact.helperUntil && (
    <Button icon="clock" onClick={() => begin('helper-end')}>
      Until when
    </Button>
  );
  if (contact.status !== 'INVITED')
    return (
      <>
        {contact.status === 'ACTIVE' && (
          <Button icon="mail" refusal={refusal} refusalIn="note" onClick={() => begin('email')}>
            Another address
          </Button>
        )}
        {helperEnd}
        {contact.status === 'ACTIVE' && contactTypes.includes('corporate') && (
          <Button icon="arrow-right" refusal={refusal} refusalIn="note" onClick={() => begin('leaver')}>
            Hand over
          </Button>
        )}
        <Button icon="trash" refusal={refusal} refusalIn="note" onClick={() => begin('remove')}>
          {contact.status === 'PENDING_REGISTRY' ? 'Take the request back' : 'Remove'}
        </Button>
      </>
    );
  return (
    <>
      {helperEnd}
      <Button
        icon="mail"
        refusal={refusal}
        refusalIn="note"
        busy={resend.isPending}
        onClick={() => resend.mutate({ account: accountName, contactId: contact.contactId, body: { version: contact.version } })}
      >
        Send the invitation again
      </Button>
      <Button icon="trash" refusal={refusal} refusalIn="note" onClick={() => begin('withdraw')}>
        Withdraw it
      </Button>
    </>
  );
}

/** The question before an end, while the address asks it. */
function Ending({ contact }: { contact: Contact }) {
  const address = useAddress();
  const ways = useWays();
  const end = ends.find(each => each === address.get('act'));
  const isOpen = end === 'leave' ? contact.isMe : end === 'ask' ? ways.remove.by === 'asking' : ways.remove.by === 'doing' && !contact.isMe;
  if (!end || !isOpen) return null;
  return (
    <Suspense>
      <ContactEnd contact={contact} end={end} onClose={() => address.set({ act: null })} />
    </Suspense>
  );
}

/** What of a contact this person changes: the details, contact types and permissions, or the types by asking for it. */
type Open = { details: boolean; role: 'changing' | 'asking' | 'reading' };

function useOpen(contact: Contact): Open {
  const { contactTypes, permissions } = useAccount();
  const { change } = useWays();
  if (contact.isMe) return { details: true, role: 'reading' };
  if (change.by === 'asking') return { details: false, role: 'asking' };
  if (change.by !== 'doing') return { details: false, role: 'reading' };
  return {
    details: permissions.includes('contacts-details-update') && whyDetailsStay(contact, { contactTypes }) === null,
    role: permissions.includes('users-privileges-update') && whyRoleStays(contact, { contactTypes }) === null ? 'changing' : 'reading',
  };
}

/** What was typed, and the contact as it was when that began. */
type Unsaved = { before: Contact; form: ContactForm };

function useUnsaved(contact: Contact): Unsaved & { draft: Draft<Unsaved | null>; set: (change: Partial<ContactForm>) => void } {
  const { accountName } = useAccount();
  const draft = useDraft<Unsaved | null>(`contact:${accountName}:${contact.contactId}`, null);
  const kept = draft.value && isTouched(draft.value.before, draft.value.form) ? draft.value : { before: contact, form: formOf(contact) };
  return { ...kept, draft, set: change => draft.set({ before: kept.before, form: { ...kept.form, ...change } }) };
}

function Editor({ contact }: { contact: Contact }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const open = useOpen(contact);
  const { change: way } = useWays();
  const { before, form, draft, set } = useUnsaved(contact);
  const [sent, setSent] = useState(false);
  const [wasRestored] = useState(draft.restored);

  const saved = (now: Contact) => {
    draft.discard();
    setSent(false);
    notify(
      now.registryRequest && registryDecides(before, form)
        ? { kind: 'info', text: `The registry was asked. Until it decides, ${now.fullName} stays as before.` }
        : {
            text: contact.isMe
              ? 'Your details are saved and count as confirmed.'
              : `${now.fullName} is saved. They and all corporate contacts get an e-mail.`,
          },
    );
  };
  const proposed = () => {
    draft.discard();
    setSent(false);
  };
  const options = { refresh: [contacts.listContacts], showsErrors: true, onProposed: proposed, onDone: saved };
  const update = useChange(contacts.updateContact, options);
  const own = useChange(contacts.updateOwnDetails, options);
  const ask = useAsking(() => draft.discard());
  const change = contact.isMe ? own : open.role === 'asking' ? ask : update;

  // Whichever is newer: what the list says, or what a refusal handed over.
  const told = change.error?.code === 'STALE' ? (change.error.current as Contact | undefined) : undefined;
  const now = told && told.version > contact.version ? told : contact;
  const isStale = now.version > before.version;

  const diff = diffOf(before, form);
  const refused = change.error && change.error.code !== 'STALE' ? refusedFields(change.error.errors) : {};
  const wrong = sent
    ? { ...problemsOfDetails(form), ...(form.contactTypes.length === 0 && { contactTypes: 'Choose at least one contact type' }) }
    : {};
  const problems = { ...refused, ...wrong };
  const summary = Object.entries(problems).flatMap(([field, message]) =>
    field === 'form' ? [] : [{ fieldId: `contact-${field}`, message }],
  );

  const save = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    const details = problemsOfDetails(form);
    if (diff.count === 0 || isStale || details.fullName || details.phone || form.contactTypes.length === 0) return;
    const { version, contactId } = before;
    if (contact.isMe)
      own.mutate({ account, body: { version, fullName: form.fullName.trim(), phone: form.phone.trim(), position: form.position.trim() } });
    else if (open.role === 'asking')
      ask.mutate({
        account,
        body: { kind: 'CHANGE_ROLE', contactId, version, contactTypes: typesInOrder(form.contactTypes), reason: form.reason.trim() },
      });
    else update.mutate({ account, contactId, body: changeOf(before, form) });
  };
  const canChange = open.details || open.role !== 'reading';
  const undo = () => {
    draft.discard();
    setSent(false);
    change.reset();
  };

  return (
    <form onSubmit={save} noValidate>
      <Grid columns="split-wide">
        <Stack gap={16}>
          {way.by === 'off' && <SwitchedOff own={contact.isMe} />}
          {wasRestored && diff.count > 0 && !sent && (
            <Banner kind="info" title="What you had not saved is here again." onDismiss={undo}>
              Dismissing this throws it away.
            </Banner>
          )}
          {contact.registryRequest && (
            <Banner kind="pending" title={`${registryWords(contact.registryRequest)}.`}>
              {contact.registryRequest.requestedBy} asked for it on <DateText value={contact.registryRequest.requestedAt} shape="date" />.
            </Banner>
          )}
          <ErrorSummary errors={summary} />
          {problems.form && (
            <Banner kind="error" traceId={change.error?.errors[0]?.traceId}>
              {problems.form}
            </Banner>
          )}
          {way.by === 'none' && way.refusal.rule === 'second-factor' && <WhyNot refusal={way.refusal} />}
          <Details contact={contact} form={form} set={set} open={open} problems={problems} />
          <RoleSheets before={before} form={form} set={set} open={open} problems={problems} />
        </Stack>
        <div className={styles.beside}>
          {isStale ? (
            <StalePanel
              before={before}
              form={form}
              now={now}
              onApply={() => {
                draft.set({ before: now, form: rebased(form, before, now) });
                change.reset();
              }}
              onDrop={undo}
            />
          ) : canChange ? (
            <Panel
              title="What changes"
              pending={diff.count > 0}
              footer={
                <>
                  <Button
                    type="submit"
                    variant="commit"
                    busy={change.isPending}
                    refusal={diff.count === 0 ? { reason: 'Nothing differs from what is registered' } : null}
                    refusalIn="note"
                  >
                    {open.role === 'asking' && !contact.isMe
                      ? 'Ask for it'
                      : registryDecides(before, form)
                        ? 'Ask the registry'
                        : diff.count === 0
                          ? 'Save'
                          : `Save ${countWords(diff.count, 'change', 'changes')}`}
                  </Button>
                  {diff.count > 0 && (
                    <Button variant="quiet" onClick={undo}>
                      Undo
                    </Button>
                  )}
                </>
              }
            >
              <Stack gap={12}>
                <output className="vh">{diff.count > 0 ? `${countWords(diff.count, 'change', 'changes')} not saved` : ''}</output>
                {diff.count === 0 ? <p className="small muted">Nothing yet.</p> : <ContactChanges diff={diff} />}
                {diff.contactTypes && !before.permissions && (
                  <p className="small muted">The permissions begin anew with those of {contactOf(diff.contactTypes.after)}s.</p>
                )}
                {(registryDecides(before, form) || (open.role === 'asking' && diff.count > 0)) && (
                  <Field
                    label={open.role === 'asking' ? 'Reason' : 'Reason, for the registry'}
                    help={open.role === 'asking' ? 'Those who can approve it read it.' : 'Nothing changes until the registry has decided.'}
                    optional
                  >
                    <TextArea rows={3} maxLength={500} value={form.reason} onChange={event => set({ reason: event.target.value })} />
                  </Field>
                )}
              </Stack>
            </Panel>
          ) : null}
          <Facts contact={contact} />
        </div>
      </Grid>
    </form>
  );
}

export function SwitchedOff({ own = false }: { own?: boolean }) {
  return (
    <Banner kind="info" title="At the moment adding, changing and removing contacts is switched off.">
      {own ? 'Your own details stay yours to change.' : 'Contacts can be looked at; the registry switches it on again.'}
    </Banner>
  );
}

type PartProps = {
  form: ContactForm;
  set: (change: Partial<ContactForm>) => void;
  open: Open;
  problems: ReturnType<typeof refusedFields>;
};

function Details({ contact, form, set, open, problems }: PartProps & { contact: Contact }) {
  if (!open.details)
    return (
      <Sheet title="Details">
        <KeyValueList
          align="left"
          items={[
            { key: 'E-mail', value: contact.email },
            { key: 'Telephone', value: contact.phone || <span className="quiet">none</span> },
            { key: 'Position', value: contact.position || <span className="quiet">none</span> },
          ]}
        />
      </Sheet>
    );
  return (
    <Sheet title="Details">
      <FormColumn>
        <Field label="Full name" id="contact-fullName" error={problems.fullName}>
          <TextInput value={form.fullName} maxLength={200} autoComplete="off" onChange={event => set({ fullName: event.target.value })} />
        </Field>
        <Field label="Telephone" id="contact-phone" error={problems.phone} optional>
          <TextInput
            value={form.phone}
            maxLength={40}
            type="tel"
            autoComplete="off"
            onChange={event => set({ phone: event.target.value })}
          />
        </Field>
        <Field label="Position" id="contact-position" optional>
          <TextInput value={form.position} maxLength={100} autoComplete="off" onChange={event => set({ position: event.target.value })} />
        </Field>
        <p className="small muted">
          Mail goes to <span className="strong">{contact.email}</span>.{' '}
          {contact.isMe ? (
            <>
              Another address is set <Link href="/account">at your login</Link>.
            </>
          ) : (
            'Somebody with another address is invited anew.'
          )}
        </p>
      </FormColumn>
    </Sheet>
  );
}

/** Contact types, permissions and maintainers: to change, to ask for, or to read. */
function RoleSheets({ before, form, set, open, problems }: PartProps & { before: Contact }) {
  const account = useAccount();
  const role = { contactTypes: before.contactTypes, permissions: before.permissions ?? [] };
  const after = roleOf(role, form);
  const changing = open.role === 'changing';
  const corporate = isCorporate(form);
  const decisions = decisionsOf(role);
  const decided = decisions.granted.length + decisions.withdrawn.length;
  const typesDiffer = diffOf(before, form).contactTypes !== null;
  const mayCorporate = open.role === 'asking' || isCorporate(account);
  const whyNot = (permission: Permission) =>
    whyNotGrantable(permission, { contactTypes: form.contactTypes, accountType: account.accountType }) ??
    (account.permissions.includes(permission) || before.permissions?.includes(permission) ? null : 'you do not hold it yourself');
  return (
    <>
      <Sheet title="Contact types">
        {open.role === 'reading' ? (
          <Stack gap={8}>
            <Row gap={4} wrap>
              {before.contactTypes.map(type => (
                <Badge key={type} kind="line">
                  {typeWords[type]}
                </Badge>
              ))}
            </Row>
            {before.isMe && <p className="small muted">Your own contact types and permissions are changed by somebody else.</p>}
          </Stack>
        ) : (
          <Stack gap={12}>
            <ContactTypesField
              id="contact-contactTypes"
              legend="This person is"
              value={form.contactTypes}
              error={problems.contactTypes}
              refused={mayCorporate ? {} : { corporate: 'Only a corporate contact asks the registry for another one' }}
              onChange={contactTypes => set({ contactTypes, ticked: isCorporate({ contactTypes }) ? {} : form.ticked })}
            />
            {changing && typesDiffer && decided > 0 && !corporate && !isCorporate(before) && (
              <Checkbox
                checked={form.keepsDecisions}
                onChange={event => set({ keepsDecisions: event.target.checked })}
                help={[
                  ...(decisions.granted.length > 0 ? [`Granted: ${permissionWords(decisions.granted)}.`] : []),
                  ...(decisions.withdrawn.length > 0 ? [`Taken away: ${permissionWords(decisions.withdrawn)}.`] : []),
                ].join(' ')}
              >
                Keep what was decided by hand
              </Checkbox>
            )}
          </Stack>
        )}
      </Sheet>
      {before.permissions && open.role !== 'asking' && (
        <Sheet
          title="Permissions"
          id="contact-permissions"
          tabIndex={-1}
          flush
          meta={
            problems.permissions ? (
              <span className={styles.problem}>{problems.permissions}</span>
            ) : (
              <span>
                {after.permissions.length} held
                {corporate ? ', as every corporate contact does' : ''}
              </span>
            )
          }
        >
          <PermissionList
            held={after.permissions}
            before={before.permissions}
            contactTypes={form.contactTypes}
            onTick={changing && !corporate ? (permission, on) => set({ ticked: tick(role, form, permission, on) }) : undefined}
            whyNot={whyNot}
          />
        </Sheet>
      )}
      {before.maintainers && open.role !== 'asking' && (changing || before.maintainers.length > 0) && (
        <Maintainers held={form.maintainers} onChange={changing ? maintainers => set({ maintainers }) : undefined} />
      )}
    </>
  );
}

const maintainerName = /^[A-Z][A-Z0-9-]{1,78}[A-Z0-9]$/;

/** The whois maintainers a contact may use, each a chip that a press takes away. */
function Maintainers({ held, onChange }: { held: readonly string[]; onChange: ((held: string[]) => void) | undefined }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = () => {
    const name = typed.trim().toUpperCase();
    if (!maintainerName.test(name)) return setProblem('Write a maintainer such as MAINT-EXAMPLE-AU');
    if (!held.includes(name)) onChange?.([...held, name].sort());
    setTyped('');
    setProblem(undefined);
  };
  return (
    <Sheet title="Maintainers">
      <Stack gap={12}>
        {held.length === 0 ? (
          <p className="small muted">None. Whois objects are changed through a maintainer.</p>
        ) : (
          <ul className={styles.chips} aria-label="Maintainers">
            {held.map(name => (
              <li key={name}>
                {onChange ? (
                  <Chip icon="close" aria-label={`Take away ${name}`} onClick={() => onChange(held.filter(each => each !== name))}>
                    <span className="mono">{name}</span>
                  </Chip>
                ) : (
                  <Badge kind="line">{name}</Badge>
                )}
              </li>
            ))}
          </ul>
        )}
        {onChange && (
          <FormColumn>
            <Field label="Another maintainer" error={problem} optional>
              <Row top>
                <TextInput
                  mono
                  value={typed}
                  placeholder="MAINT-EXAMPLE-AU"
                  maxLength={80}
                  spellCheck={false}
                  autoComplete="off"
                  onChange={event => setTyped(event.target.value)}
                  onKeyDown={event => {
                    if (event.key !== 'Enter') return;
                    event.preventDefault();
                    add();
                  }}
                />
                <Button onClick={add}>Add</Button>
              </Row>
            </Field>
          </FormColumn>
        )}
      </Stack>
    </Sheet>
  );
}

/** Somebody else was quicker: what they changed beside what was about to be saved. */
function StalePanel({ before, form, now, onApply, onDrop }: Unsaved & { now: Contact; onApply: () => void; onDrop: () => void }) {
  const theirs = diffBetween(before, now);
  return (
    <Panel
      title="Changed meanwhile"
      sub={`${now.fullName} was changed by somebody else while you were at it.`}
      pending
      footer={
        <>
          <Button variant="primary" onClick={onApply}>
            Apply mine to it
          </Button>
          <Button variant="quiet" onClick={onDrop}>
            Drop mine
          </Button>
        </>
      }
    >
      <div role="alert" className={styles.versions}>
        <h3>Theirs, saved</h3>
        {theirs.count > 0 ? <ContactChanges diff={theirs} /> : <p className="small muted">Nothing that you see here.</p>}
        <h3>Yours, not saved</h3>
        <ContactChanges diff={diffOf(before, form)} />
      </div>
    </Panel>
  );
}

/** When the contact came, confirmed the details and signed in last. */
function Facts({ contact }: { contact: Contact }) {
  const { person } = useSession();
  const { accountName } = useAccount();
  const confirmation = useConfirmation();
  const { invitation } = contact;
  return (
    <Panel
      title={contact.isMe ? `You in ${accountName}` : 'At a glance'}
      footer={
        contact.isMe &&
        contact.confirmationDue && (
          <Button busy={confirmation.isPending} onClick={() => confirmation.mutate({ account: accountName })}>
            My details are right
          </Button>
        )
      }
    >
      <KeyValueList
        items={[
          { key: 'Added', value: <DateText value={contact.addedAt} shape="date" /> },
          ...(invitation
            ? [
                {
                  key: 'Invited',
                  value: (
                    <>
                      <DateText value={invitation.sentAt} shape="date" /> by {invitation.invitedBy}
                    </>
                  ),
                },
                {
                  key: invitation.state === 'EXPIRED' ? 'Expired' : 'Open until',
                  value: <DateText value={invitation.expiresAt} shape="date" />,
                },
              ]
            : []),
          ...(contact.status === 'ACTIVE'
            ? [
                { key: 'Details confirmed', value: contact.confirmedAt ? <DateText value={contact.confirmedAt} shape="date" /> : 'never' },
                ...(contact.hasSecondFactor === null ? [] : [{ key: 'Second factor', value: <SecondFactorMark contact={contact} /> }]),
                ...(contact.permissions === null
                  ? []
                  : [
                      {
                        key: 'Last sign-in',
                        value: contact.lastSignInAt ? <DateText value={contact.lastSignInAt} shape="date" /> : 'none known',
                      },
                    ]),
              ]
            : []),
          ...(contact.isMe && person.email.toLowerCase() !== contact.email.toLowerCase() ? [{ key: 'Login', value: person.email }] : []),
        ]}
      />
      {contact.dormant && (
        <p className={styles.note}>
          Nobody signed in as {contact.fullName} for half a year. Is this person still to act for {accountName}?
        </p>
      )}
      {contact.isMe && (
        <p className={styles.note}>
          <Link href="/member-account-settings/my-permissions">What you may do, and how to ask for more</Link>
        </p>
      )}
      {!contact.permissions && (
        <p className={styles.note}>Permissions of {listWords([contact.fullName])} are for those who may view them.</p>
      )}
    </Panel>
  );
}
