import { Page, useAccount, useAddress, useChange, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { apiKeys } from '@portal/contract/api-keys/api-keys';
import { type ApiScope, apiScopeKeys, apiScopes, canGrantScope } from '@portal/contract/api-scopes';
import {
  Breadcrumb,
  Button,
  ButtonRow,
  Checkbox,
  Field,
  FieldGroup,
  Link,
  LinkButton,
  Select,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { AccountNote } from '../shell/AccountNote.tsx';
import styles from './ApiKeys.module.css';
import { NewSecret } from './NewSecret.tsx';
import { linesOf } from './scope-words.ts';

const home = '/resources/registry-api/api-key-list';

const lives = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['180', '180 days'],
  ['365', '1 year'],
  ['730', '2 years'],
] as const;

const initial = { label: '', scopes: [] as readonly ApiScope[], days: '365', networks: '' };
/** Creates an API key and shows its secret, once. */
export default function NewApiKeyPage() {
  const create = useChange(apiKeys.createApiKey, { showsErrors: true, refresh: [apiKeys.listApiKeys] });
  return (
    <Page
      title="New API key"
      sub="A key lets a program act for the account through the registry API, within the scopes you choose."
      breadcrumb={<Breadcrumb items={[{ label: 'API keys', href: home }, { label: 'New API key' }]} />}
    >
      <AccountNote />
      {create.data ? (
        <Sheet title={`${create.data.apiKey.label} is ready`} footer={<LinkButton href={home}>View API keys</LinkButton>}>
          <Stack gap={16}>
            <NewSecret {...create.data} />
            <p>
              The{' '}
              <Link href="/registry-api/docs" target="_blank">
                API reference
              </Link>{' '}
              lists every call and lets you try them.
            </p>
          </Stack>
        </Sheet>
      ) : (
        <KeyForm create={create} />
      )}
    </Page>
  );
}

function KeyForm({ create }: { create: ReturnType<typeof useChange<typeof apiKeys.createApiKey>> }) {
  const { accountName: account, permissions } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(apiKeys.createApiKey);
  const held = new Set<string>(permissions);
  const form = useForm(apiKeys.createApiKey.body, initial, {
    name: 'api-key',
    toBody: ({ label, scopes, days, networks }) => ({ label, scopes, days: Number(days), networks: linesOf(networks) }),
    ifEmpty: { label: 'Enter a label, such as ci-routes' },
    fieldOfCode: { API_KEY_LABEL_TAKEN: 'label', NO_PERMISSION: 'scopes' },
    change: create,
    send: body => create.mutate({ account, body }),
  });
  const { scopes } = form.values;
  const { error: scopesError, ...scopesField } = form.field('scopes');
  const choose = (scope: ApiScope, isChosen: boolean) =>
    form.set({ scopes: apiScopeKeys.filter(each => (each === scope ? isChosen : scopes.includes(each))) });
  const group = (writes: boolean, legend: string, help: string) => {
    const own = apiScopeKeys.filter(scope => apiScopes[scope].writes === writes);
    const grantable = own.filter(scope => canGrantScope(scope, held));
    const chosen = grantable.filter(scope => scopes.includes(scope));
    return (
      <FieldGroup legend={legend} help={help}>
        <Checkbox
          checked={chosen.length === grantable.length && grantable.length > 0}
          mixed={chosen.length > 0 && chosen.length < grantable.length}
          onChange={({ target }) =>
            form.set({ scopes: apiScopeKeys.filter(each => (grantable.includes(each) ? target.checked : scopes.includes(each))) })
          }
        >
          <b>All of them</b>
        </Checkbox>
        {own.map(scope => {
          const canGrant = grantable.includes(scope);
          return (
            <Checkbox
              key={scope}
              checked={scopes.includes(scope)}
              disabled={!canGrant}
              {...(!canGrant && { help: 'You don’t have the permissions for this yourself.' })}
              onChange={({ target }) => choose(scope, target.checked)}
            >
              {apiScopes[scope].label[0]!.toUpperCase() + apiScopes[scope].label.slice(1)} <span className="mono small quiet">{scope}</span>
            </Checkbox>
          );
        })}
      </FieldGroup>
    );
  };
  return (
    <Sheet aria-label="New API key">
      <Form form={form} label="New API key">
        <Field label="Label" help="What uses the key, such as ci-routes or monitoring. You recognise it by this." {...form.field('label')}>
          <TextInput {...form.input('label')} />
        </Field>
        <div id={scopesField.id} tabIndex={-1}>
          {scopesError && (
            <p className="small" role="alert">
              {scopesError}
            </p>
          )}
          <div className={styles.scopes}>
            {group(false, 'Can read', 'Choose only what the program needs.')}
            {group(true, 'Can change', 'Changes made with the key are logged under your name.')}
          </div>
        </div>
        <Field
          label="Allowed addresses"
          optional
          help="Addresses or prefixes your program calls from, one per line. Without any, the key works from everywhere."
          {...form.field('networks')}
        >
          <TextArea mono rows={3} placeholder="192.0.2.0/24" {...form.input('networks')} />
        </Field>
        <Field label="Expires in" help="You and the corporate contacts are reminded 14 days before." {...form.field('days')}>
          <Select {...form.input('days')}>
            {lives.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <p className="small muted">
          All corporate contacts are notified. The key stops working when you are no longer a corporate or technical contact of {account}.
        </p>
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
            Create key
          </Button>
          <Button onClick={() => address.go(home)}>Cancel</Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}
