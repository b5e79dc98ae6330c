import { Page, useAccount, useAnswer, useChange, useKit, useSession } from '@portal/app-kit';
import { Form, type FormFrame, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import type { Permission } from '@portal/contract';
import { contacts, type MyPermissions } from '@portal/contract/contacts/contacts';
import { DAY_MS } from '@portal/contract/days';
import {
  Badge,
  Banner,
  Button,
  Checkbox,
  classNames,
  DateText,
  Field,
  Grid,
  Icon,
  Panel,
  Row,
  Sheet,
  Stack,
  StateMark,
  TextArea,
} from '@portal/ui';
import { type ReactNode, useId, useState } from 'react';
import { capital, countWords, listWords, typeWords } from './contacts/contact-words.ts';
import styles from './MyPermissionsPage.module.css';
import { OwnRequests } from './requests/OwnRequests.tsx';

type PermissionRow = MyPermissions['groups'][number]['permissions'][number];

/** Returns whether a permission can be requested: not held, grantable, and not requested within the last 24 hours. */
const canAsk = ({ held, notGrantable, requestedAt }: PermissionRow, now: number): boolean =>
  !held && notGrantable === null && (requestedAt === null || now - Date.parse(requestedAt) >= DAY_MS);

/** The person's permissions in the account, their source, and how to request more. */
export default function MyPermissionsPage() {
  const { accountName: account, asStaff } = useAccount();
  const { person } = useSession();
  const { notify } = useKit();
  const mine = useAnswer(contacts.getMyPermissions, { account });
  const [now] = useState(() => Date.now());
  const ask = useChange(contacts.askForPermission, {
    refresh: [contacts.getMyPermissions, contacts.whoHoldsPermission],
    showsErrors: true,
    onDone({ asked }) {
      notify({
        text:
          asked.length > 0
            ? `You asked ${listWords(asked)}. They get an e-mail now, and you get one when they decide.`
            : 'Request sent. No one in the account can approve it right now. Registry staff can help.',
      });
      form.reset();
    },
  });
  const form = useForm(
    contacts.askForPermission.body,
    { permissions: [] as readonly Permission[], message: '' },
    {
      name: 'permission-request',
      change: ask,
      send: body => ask.mutate({ account, body }),
    },
  );
  const { permissions: wanted } = form.values;
  const corporate = mine.contactTypes.includes('corporate');
  const rows = mine.groups.flatMap(group => group.permissions);
  const held = rows.filter(row => row.held).length;
  const open = !asStaff && !corporate;
  const waits = rows.filter(row => row.held && row.needsSecondFactor).length;
  return (
    <Page title="My permissions" sub={`What you can do in ${account}, where each permission comes from and who can change it.`}>
      <Grid columns="split-wide">
        <Stack gap={16}>
          {!person.mfa && waits > 0 && (
            <Banner kind="info" title={`${countWords(waits, 'permission waits', 'permissions wait')} for a second factor.`}>
              {person.hasSecondFactor
                ? 'They apply as soon as you confirm it’s you. You’re asked when a change needs it.'
                : 'They apply after you turn on two-factor authentication.'}
            </Banner>
          )}
          <OwnRequests />
          <Form form={form} label="Ask for permissions" bare>
            <Sheet
              title="Permissions"
              meta={
                <span>
                  {held} of {rows.length}
                </span>
              }
              flush
            >
              {mine.groups.map(group => (
                <Group
                  key={group.group}
                  group={group}
                  note={group.group === 'voting' && !mine.mayVote ? 'Accounts of this type can’t vote.' : null}
                  contactTypes={mine.contactTypes}
                  mfa={person.mfa}
                  isWanted={permission => wanted.includes(permission)}
                  onWant={
                    open
                      ? (permission, on) =>
                          form.set({ permissions: on ? [...wanted, permission] : wanted.filter(each => each !== permission) })
                      : undefined
                  }
                  now={now}
                />
              ))}
            </Sheet>
            {open && wanted.length > 0 && (
              <Asking form={form} count={wanted.length} onClear={() => form.set({ permissions: [] })}>
                <Field label="Why do you need it?" help="The people who can approve it see this." optional {...form.field('message')}>
                  <TextArea rows={2} {...form.input('message')} />
                </Field>
              </Asking>
            )}
          </Form>
        </Stack>
        <RoleAndContacts mine={mine} corporate={corporate} />
      </Grid>
    </Page>
  );
}

function Asking({ form, count, onClear, children }: { form: FormFrame; count: number; onClear: () => void; children: ReactNode }) {
  return (
    <div className={styles.ask}>
      <FormProblems form={form} />
      {children}
      <Row gap={8} wrap>
        <Button type="submit" variant="primary" icon="mail" busy={form.busy}>
          Ask for {countWords(count, 'permission', 'permissions')}
        </Button>
        <Button variant="quiet" onClick={onClear}>
          Clear
        </Button>
      </Row>
    </div>
  );
}

function Group({
  group: { group, permissions },
  note,
  contactTypes,
  mfa,
  isWanted,
  onWant,
  now,
}: {
  group: MyPermissions['groups'][number];
  note: string | null;
  contactTypes: MyPermissions['contactTypes'];
  mfa: boolean;
  isWanted: (permission: Permission) => boolean;
  onWant: ((permission: Permission, on: boolean) => void) | undefined;
  now: number;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.group}>
      <h3 id={id}>
        {capital(group)}
        {note && <span>{note}</span>}
      </h3>
      <ul>
        {permissions.map(row => (
          <li key={row.permission} className={classNames(styles.row, isWanted(row.permission) && styles.wanted)}>
            <div className={styles.what}>
              {onWant && canAsk(row, now) ? (
                <Checkbox checked={isWanted(row.permission)} onChange={event => onWant(row.permission, event.target.checked)}>
                  <span className="vh">Ask for: </span>
                  {row.label}
                </Checkbox>
              ) : (
                <>
                  <Icon
                    name={row.held ? 'check' : 'minus'}
                    label={row.held ? 'held' : 'not held'}
                    className={row.held ? styles.held : styles.missing}
                  />
                  <span className={row.held ? undefined : styles.missing}>{row.label}</span>
                </>
              )}
              {(row.needsSecondFactor || row.someChangesNeedSecondFactor) && (
                <span className={classNames(styles.factor, row.held && !mfa && styles.locked)}>
                  <Icon
                    name={row.held && !mfa ? 'lock' : 'shield'}
                    label={`${row.needsSecondFactor ? 'needs' : 'some changes need'} two-factor${row.held && !mfa ? ' in this session' : ''}`}
                  />
                </span>
              )}
            </div>
            <div className={styles.from}>
              <From row={row} contactTypes={contactTypes} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The source of a permission, or why it is missing. */
function From({ row, contactTypes }: { row: PermissionRow; contactTypes: MyPermissions['contactTypes'] }) {
  if (row.requestedAt)
    return (
      <StateMark state="pending">
        <span>
          requested on <DateText value={row.requestedAt} shape="date" />
        </span>
      </StateMark>
    );
  if (row.from === 'decision')
    return (
      <>
        {row.held ? 'granted' : 'removed'}
        {row.decidedBy && ` by ${row.decidedBy}`}
        {row.decidedAt && (
          <>
            {' '}
            on <DateText value={row.decidedAt} shape="date" />
          </>
        )}
      </>
    );
  // Said once beside the list, not at each of its permissions.
  if (row.held && contactTypes.includes('corporate')) return null;
  if (row.held) return <>comes with {contactTypes.length > 0 ? listWords(contactTypes) : 'being a contact'}</>;
  return <>{row.notGrantable}</>;
}

function RoleAndContacts({ mine, corporate }: { mine: MyPermissions; corporate: boolean }) {
  const { person } = useSession();
  const { asStaff } = useAccount();
  const others = mine.corporateContacts.filter(contact => contact.email.toLowerCase() !== person.email.toLowerCase());
  return (
    <Stack gap={16}>
      <Panel title={asStaff ? 'You’re viewing it as registry staff' : 'Your role'}>
        <Stack gap={8}>
          <Row gap={4} wrap>
            {mine.contactTypes.map(type => (
              <Badge key={type} kind="line">
                {typeWords[type]}
              </Badge>
            ))}
            <StateMark state={person.mfa ? 'valid' : 'warning'}>
              {person.mfa ? 'signed in with two-factor' : 'signed in without two-factor'}
            </StateMark>
          </Row>
          {corporate && <p className="small muted">As a corporate contact you have every permission.</p>}
        </Stack>
      </Panel>
      <Panel title={corporate ? 'Other corporate contacts' : 'Who can change it'}>
        {others.length === 0 ? (
          <p className="small muted">
            {corporate
              ? 'You’re the only corporate contact. Invite a second one so that no one is locked out.'
              : 'This account has no corporate contact. Registry staff can help.'}
          </p>
        ) : (
          <ul className={styles.people}>
            {others.map(({ name, email }) => (
              <li key={email}>
                <span className="strong">{name}</span>
                <a href={`mailto:${email}`} className="small">
                  {email}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {!corporate && (
        <Panel title="Maintainers">
          {mine.maintainers.length === 0 ? (
            <p className="small muted">No maintainers. You need one to change whois objects.</p>
          ) : (
            <ul className={styles.people}>
              {mine.maintainers.map(name => (
                <li key={name} className="mono">
                  {name}
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
    </Stack>
  );
}
