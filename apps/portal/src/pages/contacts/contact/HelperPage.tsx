import { changedSearch, Page, useAccount, useAddress, useChange, useKit, usePlace } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Permission, permissions } from '@portal/contract';
import { contacts } from '@portal/contract/contacts/contacts';
import { helperPermissions } from '@portal/contract/contacts/helper-permissions';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { Breadcrumb, Button, ButtonRow, Checkbox, Field, FieldGroup, FormColumn, Sheet, Stack, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import styles from '../../../shell/People.module.css';

const empty = { fullName: '', email: '', position: '', until: '', permissions: ['resources-view'] as readonly Permission[] };
const dayAhead = (days: number) => utcDay(Date.now() + days * DAY_MS);

/** Invites a helper, such as a consultant: until a day, with chosen permissions, and nothing of contacts, billing or votes. */
export default function HelperPage() {
  const { accountName: account, permissions: own } = useAccount();
  const { notify } = useKit();
  const { path, search } = usePlace();
  const address = useAddress();
  const invite = useChange(contacts.inviteHelper, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: helper => {
      notify({ text: `Invitation sent to ${helper.email}. Access ends automatically.` });
      address.set({ view: null, contact: helper.contactId });
    },
  });
  const form = useForm(contacts.inviteHelper.body, empty, {
    name: 'helper',
    toBody: values => ({ ...values, phone: '' }),
    ifEmpty: {
      fullName: 'Enter the full name',
      email: 'Enter the e-mail address',
      until: 'Choose the last day',
      permissions: 'Choose at least one permission',
    },
    change: invite,
    send: body => invite.mutate({ account, body }),
  });
  const { permissions: ticked } = form.values;
  const choice = form.field('permissions');
  const back = path + changedSearch(search, { view: null });
  return (
    <Page
      title="Invite a helper"
      sub="A consultant or broker acts for the account until a date you choose. All contacts get a reminder a week before, then access ends automatically."
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: 'Helper' }]} />}
    >
      <Sheet title="Helper details">
        <Form form={form} label="Helper" bare>
          <Stack gap={16}>
            <FormColumn>
              <FormProblems form={form} />
              <Field label="Full name" {...form.field('fullName')}>
                <TextInput {...form.input('fullName')} />
              </Field>
              <Field label="E-mail address" help="The invitation is sent here." {...form.field('email')}>
                <TextInput type="email" {...form.input('email')} />
              </Field>
              <Field label="Position" optional {...form.field('position')}>
                <TextInput placeholder="Consultant" {...form.input('position')} />
              </Field>
              <Field label="Last day (UTC)" help="At most a year ahead. You can change it later." {...form.field('until')}>
                <DateInput {...form.input('until')} min={dayAhead(0)} max={dayAhead(365)} />
              </Field>
            </FormColumn>
            <FieldGroup legend="Permissions" error={choice.error}>
              <div className={styles.choices}>
                {helperPermissions
                  .filter(key => own.includes(key))
                  .map((key, place) => (
                    <Checkbox
                      key={key}
                      {...(place === 0 && { id: choice.id })}
                      checked={ticked.includes(key)}
                      onChange={({ target }) =>
                        form.set({ permissions: target.checked ? [...ticked, key] : ticked.filter(each => each !== key) })
                      }
                    >
                      {permissions[key].label}
                    </Checkbox>
                  ))}
              </div>
            </FieldGroup>
            <ButtonRow>
              <Button type="submit" variant="commit" busy={form.busy}>
                Invite the helper
              </Button>
            </ButtonRow>
          </Stack>
        </Form>
      </Sheet>
    </Page>
  );
}
