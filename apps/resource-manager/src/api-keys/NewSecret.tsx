import { useAccount } from '@portal/app-kit';
import type { ApiKey } from '@portal/contract/api-keys/api-keys';
import { apiScopes } from '@portal/contract/api-scopes';
import { CopyButton, DateText, KeyValueList, Mono } from '@portal/ui';
import { SecretOnce } from '../shell/SecretOnce.tsx';
import styles from './ApiKeys.module.css';
import { tryingCall } from './trying-call.ts';

/** The secret of a key that was just made, with a call to try it. */
export function NewSecret({ apiKey, secret }: { apiKey: ApiKey; secret: string | null }) {
  const { accountName } = useAccount();
  const { base, path: call } = tryingCall(accountName, apiKey.scopes);
  const callWith = (bearer: string): string =>
    ` export REGISTRY_API_KEY=${bearer}\ncurl -H "Authorization: Bearer $REGISTRY_API_KEY" \\\n  "${base}${call}"`;
  return (
    <SecretOnce label={apiKey.label} rotates="the key" secret={secret} about="It is shown this once and can’t be recovered.">
      {call === undefined ? (
        <p className="small">This key can only make changes, so there is no call to try it with that changes nothing.</p>
      ) : (
        <>
          <div className={styles.exampleHead}>
            <span>Try it, ready to paste:</span>
            {secret !== null && <CopyButton text={callWith(secret)} label="Copy the call" />}
          </div>
          {/* No picture of the page is kept. */}
          <pre className={`mono small ${styles.example}`} data-shown-once="">
            {callWith(secret ?? '…')}
          </pre>
          <p className="small quiet">The space before export keeps the secret out of the history of most shells.</p>
        </>
      )}
      <KeyValueList
        align="left"
        items={[
          ...[false, true].flatMap(writes => {
            const labels = apiKey.scopes.filter(scope => apiScopes[scope].writes === writes).map(scope => apiScopes[scope].label);
            return labels.length === 0 ? [] : [{ key: writes ? 'Can change' : 'Can read', value: labels.join(', ') }];
          }),
          { key: 'Works until', value: <DateText value={apiKey.expiresAt} shape="date" /> },
          {
            key: 'Allowed addresses',
            value: apiKey.networks.length === 0 ? 'Any' : <Mono nowrap={false}>{apiKey.networks.join(', ')}</Mono>,
          },
        ]}
      />
      <p className="small quiet">
        The base address of the API is <span className="mono">{base}</span>.
      </p>
    </SecretOnce>
  );
}
