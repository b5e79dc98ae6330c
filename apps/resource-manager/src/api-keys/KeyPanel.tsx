import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type ApiKey, apiKeys } from '@portal/contract/api-keys/api-keys';
import { canGrantScope, type ApiScope, apiScopeKeys, apiScopes } from '@portal/contract/api-scopes';
import { Button, ButtonRow, Checkbox, DateText, Field, Icon, Mono, Panel, Stack, TextArea } from '@portal/ui';
import styles from './ApiKeys.module.css';
import { KeyState, works } from './KeyState.tsx';
import { SecretsOverlap } from './SecretsOverlap.tsx';
import { linesOf, subjectOfScope } from './scope-words.ts';

const refresh = [apiKeys.listApiKeys];

/** One key beside the list: its secrets, scopes and addresses, with what can be changed. */
export function KeyPanel({ apiKey, now }: { apiKey: ApiKey; now: number }) {
  const address = useAddress();
  const canRotate = useRefusal(apiKeys.rotateApiKey);
  const canRevoke = useRefusal(apiKeys.revokeApiKey);
  const { label, prefix, createdBy, createdAt, expiresAt, oldSecret, apiKeyId } = apiKey;
  return (
    <Panel
      title={label}
      actions={<KeyState apiKey={apiKey} now={now} />}
      sub={
        <span className="small quiet">
          <Mono>{prefix}…</Mono>, made by {createdBy}, <DateText value={createdAt} shape="date" />
        </span>
      }
      pending={oldSecret !== null}
      footer={
        works(apiKey) && (
          <ButtonRow>
            <Button
              size="s"
              icon="refresh"
              refusal={canRotate}
              refusalIn="note"
              onClick={() => address.set({ rotate: apiKeyId }, { step: true })}
            >
              Rotate
            </Button>
            <Button
              size="s"
              variant="danger"
              refusal={canRevoke}
              refusalIn="note"
              onClick={() => address.set({ revoke: apiKeyId }, { step: true })}
            >
              Revoke
            </Button>
          </ButtonRow>
        )
      }
    >
      <Stack gap={16}>
        {oldSecret !== null ? (
          <OldSecret apiKey={apiKey} now={now} />
        ) : (
          <p className="small muted">
            {works(apiKey) ? 'Expires' : 'Expiry'}: <DateText value={expiresAt} shape="date" />
          </p>
        )}
        <KeyRights key={apiKeyId} apiKey={apiKey} />
      </Stack>
    </Panel>
  );
}

/** The secret before the last rotation: until when it works, where it is still used, and how that is changed. */
function OldSecret({ apiKey, now }: { apiKey: ApiKey; now: number }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { apiKeyId, label, oldSecret, oldSecretUntil } = apiKey;
  const refusal = useRefusal(apiKeys.keepOldSecret);
  const keep = useChange(apiKeys.keepOldSecret, {
    refresh,
    onDone: (_, { body }) =>
      notify({
        text: body.hours === 0 ? `The old secret of ${label} no longer works.` : `The old secret of ${label} works for 7 more days.`,
      }),
  });
  const set = (hours: number): void => keep.mutate({ account, apiKeyId, body: { hours } });
  const lastUse = oldSecret?.lastUse ?? null;
  return (
    <Stack gap={8}>
      <SecretsOverlap apiKey={apiKey} now={now} />
      <p className={styles.oldUse}>
        <Icon name={lastUse === null ? 'valid' : 'warning'} />
        {lastUse === null ? (
          <span>The old secret hasn’t been used since the rotation.</span>
        ) : (
          <span>
            The old secret was still used on <DateText value={lastUse.at} />, from <Mono>{lastUse.address}</Mono>. Change it there before{' '}
            <DateText value={oldSecretUntil!} />.
          </span>
        )}
      </p>
      <ButtonRow>
        <Button size="s" refusal={refusal} refusalIn="note" busy={keep.isPending} onClick={() => set(168)}>
          Keep old for 7 days
        </Button>
        <Button size="s" variant="danger" refusal={refusal} refusalIn="note" busy={keep.isPending} onClick={() => set(0)}>
          End old secret now
        </Button>
      </ButtonRow>
    </Stack>
  );
}

/** Scopes as a table of reading and writing, and allowed addresses. Saved together. */
function KeyRights({ apiKey }: { apiKey: ApiKey }) {
  const { accountName: account, permissions } = useAccount();
  const { notify } = useKit();
  const held = new Set<string>(permissions);
  const refusal = useRefusal(apiKeys.changeApiKey);
  const initial = { scopes: apiKey.scopes as readonly ApiScope[], networks: apiKey.networks.join('\n') };
  const change = useChange(apiKeys.changeApiKey, {
    refresh,
    showsErrors: true,
    onDone: ({ label }) => notify({ text: `${label} is changed. It applies to the next call.` }),
  });
  const form = useForm(apiKeys.changeApiKey.body, initial, {
    name: `api-key-${apiKey.apiKeyId}`,
    toBody: ({ scopes, networks }) => ({ scopes: [...scopes], networks: linesOf(networks) }),
    fieldOfCode: { NO_PERMISSION: 'scopes', NOTHING_TO_DO: 'networks' },
    change,
    send: body => change.mutate({ account, apiKeyId: apiKey.apiKeyId, body }),
  });
  const { scopes, networks } = form.values;
  const isChanged = String(scopes) !== String(initial.scopes) || networks !== initial.networks;
  const { error, ...scopesField } = form.field('scopes');
  const box = (subject: string, scope: ApiScope | undefined) => {
    if (!scope) return <span className="quiet">–</span>;
    const isOn = scopes.includes(scope);
    return (
      <Checkbox
        checked={isOn}
        disabled={!works(apiKey) || (!isOn && !canGrantScope(scope, held))}
        aria-label={`${apiScopes[scope].writes ? 'Write' : 'Read'} ${subject}`}
        onChange={({ target }) =>
          form.set({ scopes: apiScopeKeys.filter(each => (each === scope ? target.checked : scopes.includes(each))) })
        }
      />
    );
  };
  return (
    <Form form={form} label={`Rights of ${apiKey.label}`}>
      <div id={scopesField.id} tabIndex={-1}>
        {error && (
          <p className="small" role="alert">
            {error}
          </p>
        )}
        <table className={styles.rights}>
          <thead>
            <tr>
              <th scope="col">Scope</th>
              <th scope="col">Read</th>
              <th scope="col">Write</th>
            </tr>
          </thead>
          <tbody>
            {subjects.map(({ subject, reads, writes }) => (
              <tr key={subject}>
                <th scope="row">{subject}</th>
                <td>{box(subject, reads)}</td>
                <td>{box(subject, writes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Field
        label="Allowed addresses"
        help="One address or prefix per line. Calls from elsewhere are refused, and you and the corporate contacts get an e-mail."
        optional
        {...form.field('networks')}
      >
        <TextArea mono rows={2} disabled={!works(apiKey)} {...form.input('networks')} />
      </Field>
      {isChanged && (
        <ButtonRow>
          <Button type="submit" size="s" variant="commit" busy={form.busy} refusal={refusal}>
            Change {apiKey.label}
          </Button>
          <Button size="s" onClick={() => form.reset()}>
            Discard
          </Button>
        </ButtonRow>
      )}
    </Form>
  );
}

/** The subjects of scopes, each with the scope that reads and the one that writes. */
const subjects = [...new Set(apiScopeKeys.map(scope => scope.split(':')[0]!))].map(name => ({
  subject: subjectOfScope(name),
  reads: apiScopeKeys.find(scope => scope === `${name}:read`),
  writes: apiScopeKeys.find(scope => scope === `${name}:write`),
}));
