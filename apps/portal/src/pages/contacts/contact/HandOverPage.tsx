import { type CallAnswer, changedSearch, Page, useAccount, useAddress, useAnswer, useChange, useKit, usePlace } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
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
import { useAllContacts } from '../contact-acts.ts';
import { countWords } from '../contact-words.ts';
import styles from '../../../shell/People.module.css';

/** A leaving contact: what they hold, who takes over what, and the end of their access, in one change. */
export default function HandOverPage({ contact }: { contact: Contact }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { path, search } = usePlace();
  const address = useAddress();
  const { contactId, version, fullName } = contact;
  const holdings = useAnswer(accessReviews.getHoldings, { account, contactId });
  const heirs = useAllContacts().filter(each => each.status === 'active' && each.contactId !== contactId);
  const handOver = useChange(accessReviews.handOver, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: ({ removed, words }) => {
      notify({ text: words, ...(removed ? {} : { kind: 'info' as const }) });
      address.set({ contact: null, act: null });
    },
  });
  const form = useForm(
    accessReviews.handOver.body,
    { to: '', permissions: holdings.onlyHere as readonly Permission[], maintainers: holdings.maintainers, reason: '' },
    {
      name: 'hand-over',
      toBody: ({ to, permissions: ticked, maintainers, reason }) => {
        const chosen = heirs.find(each => each.contactId === to) ?? null;
        return {
          version,
          to: chosen && { contactId: chosen.contactId, version: chosen.version },
          permissions: chosen ? ticked : [],
          maintainers: chosen ? maintainers : [],
          reason,
        };
      },
      change: handOver,
      send: body => handOver.mutate({ account, contactId, body }),
    },
  );
  const { to, permissions: ticked, maintainers } = form.values;
  const heir = heirs.find(each => each.contactId === to) ?? null;
  const nobody = holdings.onlyHere.filter(key => !heir || !ticked.includes(key));
  const back = path + changedSearch(search, { act: null });
  return (
    <Page
      title={`${fullName} leaves`}
      sub="Choose who takes over, then end access. Both happen together."
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: path }, { label: fullName, href: back }, { label: 'Leaves' }]} />}
    >
      <Form form={form} label="Hand over" bare>
        <Stack gap={16}>
          <FormProblems form={form} />
          <Sheet title="Access that ends">
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
                <Field label="Colleague" optional help="Corporate contacts already have every permission." {...form.field('to')}>
                  <Select
                    {...form.input('to')}
                    options={[{ value: '', label: 'No one' }, ...heirs.map(each => ({ value: each.contactId, label: each.fullName }))]}
                  />
                </Field>
              </FormColumn>
              {heir && (
                <HeirGets
                  heir={heir}
                  holdings={holdings}
                  ticked={ticked}
                  setTicked={chosen => form.set({ permissions: chosen })}
                  maintainers={maintainers}
                  setMaintainers={chosen => form.set({ maintainers: [...chosen] })}
                />
              )}
              {nobody.length > 0 && (
                <Banner kind="warning" title="No one would have this permission:">
                  {nobody.map(key => permissions[key].label).join(', ')}.
                </Banner>
              )}
              <FormColumn>
                <Field label="Reason" optional help="Everyone concerned sees it." {...form.field('reason')}>
                  <TextInput {...form.input('reason')} />
                </Field>
              </FormColumn>
              <ButtonRow>
                <Button type="submit" variant="danger" busy={form.busy}>
                  {holdings.registryDecides ? 'Hand over and ask the registry' : 'Hand over and remove'}
                </Button>
                <Button onClick={() => address.set({ act: null })}>Keep {fullName}</Button>
              </ButtonRow>
            </Stack>
          </Sheet>
        </Stack>
      </Form>
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
