import {
  type CallAnswer,
  changedSearch,
  ErrorWords,
  Page,
  useAccount,
  useAddress,
  useAnswer,
  useChange,
  useKit,
  usePlace,
} from '@portal/app-kit';
import { type Permission, permissions } from '@portal/contract';
import { accessReviews } from '@portal/contract/contacts/access-reviews';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import {
  Badge,
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  Checkbox,
  Field,
  FormColumn,
  Mono,
  Select,
  Sheet,
  Stack,
  TextInput,
} from '@portal/ui';
import { useState } from 'react';
import { useAllContacts } from '../contact-acts.ts';
import { countWords } from '../contact-words.ts';
import styles from '../list/People.module.css';

/** A leaving contact: what they hold, who takes over what, and the end of their access, in one change. */
export default function HandOverPage({ contact }: { contact: Contact }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { path, search } = usePlace();
  const address = useAddress();
  const { contactId, version, fullName } = contact;
  const holdings = useAnswer(accessReviews.getHoldings, { account, contactId });
  const heirs = useAllContacts().filter(each => each.status === 'active' && each.contactId !== contactId);
  const [to, setTo] = useState('');
  const [ticked, setTicked] = useState<readonly Permission[]>(holdings.onlyHere);
  const [maintainers, setMaintainers] = useState<readonly string[]>(holdings.maintainers);
  const [reason, setReason] = useState('');
  const heir = heirs.find(each => each.contactId === to) ?? null;
  const handOver = useChange(accessReviews.handOver, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: ({ removed, words }) => {
      notify({ text: words, ...(removed ? {} : { kind: 'info' as const }) });
      address.set({ contact: null, act: null });
    },
  });
  const nobody = holdings.onlyHere.filter(key => !heir || !ticked.includes(key));
  const back = path + changedSearch(search, { act: null });
  return (
    <Page
      title={`${fullName} leaves`}
      sub="Choose who takes over, then end access. Both happen together."
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: path }, { label: fullName, href: back }, { label: 'Leaves' }]} />}
    >
      <form
        onSubmit={event => {
          event.preventDefault();
          handOver.mutate({
            account,
            contactId,
            body: {
              version,
              to: heir && { contactId: heir.contactId, version: heir.version },
              permissions: heir ? [...ticked] : [],
              maintainers: heir ? [...maintainers] : [],
              reason: reason.trim(),
            },
          });
        }}
      >
        <Stack gap={16}>
          {handOver.error && (
            <Banner kind="error" traceId={handOver.error.errors[0]?.traceId}>
              <ErrorWords message={handOver.error.message} />
            </Banner>
          )}
          <Sheet title="What ends">
            <p>
              {countWords(holdings.permissions.length, 'permission', 'permissions')},{' '}
              {countWords(holdings.maintainers.length, 'maintainer', 'maintainers')},{' '}
              {countWords(holdings.openRequests.length, 'open request', 'open requests')}.{' '}
              {holdings.registryDecides &&
                'They stay a corporate contact until the registry approves the removal. What is handed over applies immediately.'}
            </p>
          </Sheet>
          <Sheet title="Who takes over">
            <Stack gap={12}>
              <FormColumn>
                <Field label="Colleague" optional help="Corporate contacts already have every permission.">
                  <Select
                    value={to}
                    onChange={event => setTo(event.target.value)}
                    options={[{ value: '', label: 'No one' }, ...heirs.map(each => ({ value: each.contactId, label: each.fullName }))]}
                  />
                </Field>
              </FormColumn>
              {heir && (
                <HeirGets
                  heir={heir}
                  holdings={holdings}
                  ticked={ticked}
                  setTicked={setTicked}
                  maintainers={maintainers}
                  setMaintainers={setMaintainers}
                />
              )}
              {nobody.length > 0 && (
                <Banner kind="warning" title="No one would have this permission:">
                  {nobody.map(key => permissions[key].label).join(', ')}.
                </Banner>
              )}
              <FormColumn>
                <Field label="Reason" optional help="Everyone concerned sees it.">
                  <TextInput value={reason} maxLength={500} onChange={event => setReason(event.target.value)} />
                </Field>
              </FormColumn>
              <ButtonRow>
                <Button type="submit" variant="danger" busy={handOver.isPending}>
                  {holdings.registryDecides ? 'Hand over and ask the registry' : 'Hand over and remove'}
                </Button>
                <Button onClick={() => address.set({ act: null })}>Keep {fullName}</Button>
              </ButtonRow>
            </Stack>
          </Sheet>
        </Stack>
      </form>
    </Page>
  );
}

/** Permissions and maintainers that a colleague takes over. */
function HeirGets({
  heir,
  holdings,
  ticked,
  setTicked,
  maintainers,
  setMaintainers,
}: {
  heir: Contact;
  holdings: CallAnswer<typeof accessReviews.getHoldings>;
  ticked: readonly Permission[];
  setTicked: (ticked: readonly Permission[]) => void;
  maintainers: readonly string[];
  setMaintainers: (maintainers: readonly string[]) => void;
}) {
  const toggle = <T extends string>(list: readonly T[], item: T, on: boolean): T[] =>
    on ? [...list, item] : list.filter(each => each !== item);
  return (
    <fieldset className={styles.more}>
      <legend>What {heir.fullName} gets</legend>
      <div className={styles.choices}>
        {holdings.permissions
          .filter(key => !heir.permissions?.includes(key))
          .map(key => (
            <Checkbox key={key} checked={ticked.includes(key)} onChange={event => setTicked(toggle(ticked, key, event.target.checked))}>
              {permissions[key].label} {holdings.onlyHere.includes(key) && <Badge kind="line">no one else</Badge>}
            </Checkbox>
          ))}
        {holdings.maintainers.map(name => (
          <Checkbox
            key={name}
            checked={maintainers.includes(name)}
            onChange={event => setMaintainers(toggle(maintainers, name, event.target.checked))}
          >
            <Mono>{name}</Mono>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}
