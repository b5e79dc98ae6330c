import { changedSearch, ErrorWords, Page, useAccount, useAddress, useChange, useKit, usePlace } from '@portal/app-kit';
import { type Permission, permissions } from '@portal/contract';
import { contacts } from '@portal/contract/contacts/contacts';
import { helperPermissions } from '@portal/contract/contacts/helper-permissions';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { Banner, Breadcrumb, Button, ButtonRow, Checkbox, Field, FormColumn, Sheet, Stack, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from '../list/People.module.css';

const empty = { fullName: '', email: '', position: '', until: '' };
const dayAhead = (days: number) => utcDay(Date.now() + days * DAY_MS);

/** Invites a helper, such as a consultant: until a day, with chosen permissions, and nothing of contacts, billing or votes. */
export default function HelperPage() {
  const { accountName: account, permissions: own } = useAccount();
  const { notify } = useKit();
  const { path, search } = usePlace();
  const address = useAddress();
  const [form, setForm] = useState(empty);
  const [ticked, setTicked] = useState<readonly Permission[]>(['resources-view']);
  const set = (change: Partial<typeof empty>) => setForm({ ...form, ...change });
  const invite = useChange(contacts.inviteHelper, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: helper => {
      notify({ text: `Invitation sent to ${helper.email}. Access ends automatically.` });
      address.set({ view: null, contact: helper.contactId });
    },
  });
  const back = path + changedSearch(search, { view: null });
  return (
    <Page
      title="Invite a helper"
      sub="A consultant or broker acts for the account until a date you choose. All contacts get a reminder a week before, then access ends automatically."
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: 'Helper' }]} />}
    >
      <Sheet title="Helper details">
        <form
          onSubmit={event => {
            event.preventDefault();
            const { until, ...person } = form;
            if (!invite.isPending && ticked.length > 0)
              invite.mutate({ account, body: { ...person, phone: '', until, permissions: [...ticked] } });
          }}
        >
          <Stack gap={16}>
            <FormColumn>
              {invite.error && (
                <Banner kind="error" traceId={invite.error.errors[0]?.traceId}>
                  <ErrorWords message={invite.error.message} />
                </Banner>
              )}
              <Field label="Full name">
                <TextInput
                  value={form.fullName}
                  required
                  maxLength={200}
                  autoComplete="off"
                  onChange={event => set({ fullName: event.target.value })}
                />
              </Field>
              <Field label="E-mail address" help="The invitation is sent here.">
                <TextInput
                  type="email"
                  value={form.email}
                  required
                  maxLength={254}
                  autoComplete="off"
                  onChange={event => set({ email: event.target.value })}
                />
              </Field>
              <Field label="What they do" optional>
                <TextInput
                  value={form.position}
                  maxLength={100}
                  placeholder="Consultant"
                  onChange={event => set({ position: event.target.value })}
                />
              </Field>
              <Field label="Last day (UTC)" help="At most a year ahead. You can change it later.">
                <TextInput
                  type="date"
                  value={form.until}
                  required
                  min={dayAhead(0)}
                  max={dayAhead(365)}
                  onChange={event => set({ until: event.target.value })}
                />
              </Field>
            </FormColumn>
            <fieldset className={styles.more}>
              <legend>Permissions</legend>
              <div className={styles.choices}>
                {helperPermissions
                  .filter(key => own.includes(key))
                  .map(key => (
                    <Checkbox
                      key={key}
                      checked={ticked.includes(key)}
                      onChange={event => setTicked(event.target.checked ? [...ticked, key] : ticked.filter(each => each !== key))}
                    >
                      {permissions[key].label}
                    </Checkbox>
                  ))}
              </div>
            </fieldset>
            <ButtonRow>
              <Button
                type="submit"
                variant="commit"
                busy={invite.isPending}
                refusal={ticked.length === 0 ? { reason: 'Choose at least one permission' } : null}
                refusalIn="note"
              >
                Invite the helper
              </Button>
            </ButtonRow>
          </Stack>
        </form>
      </Sheet>
    </Page>
  );
}
