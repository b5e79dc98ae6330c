import { useAccount } from '@portal/app-kit';
import type { ApiKey } from '@portal/contract/api-keys/api-keys';
import { CopyButton } from '@portal/ui';
import { SecretOnce } from '../shell/SecretOnce.tsx';
import styles from './ApiKeys.module.css';
import { tryingCall } from './trying-call.ts';

/** The secret of a key that was just made, with a call to try it. */
export function NewSecret({ apiKey, secret }: { apiKey: ApiKey; secret: string | null }) {
  const { accountName } = useAccount();
  const { base, path: call } = tryingCall(accountName, apiKey.scopes);
  const curlWith = (bearer: string): string => `curl -H "Authorization: Bearer ${bearer}" \\\n  "${base}${call}"`;
  return (
    <SecretOnce label={apiKey.label} rotates="the key" secret={secret} about="It is shown this once and can’t be recovered.">
      {call === undefined ? (
        <p className="small">This key can only make changes, so there is no call to try it with that changes nothing.</p>
      ) : (
        <>
          <div className={styles.exampleHead}>
            <span>Try it, ready to paste:</span>
            {secret !== null && <CopyButton text={curlWith(secret)} label="Copy the call" />}
          </div>
          {/* No picture of the page is kept. */}
          <pre className={`mono small ${styles.example}`} data-shown-once="">
            {curlWith(secret ?? '$KEY')}
          </pre>
        </>
      )}
      <p className="small quiet">
        The base address of the API is <span className="mono">{base}</span>.
      </p>
    </SecretOnce>
  );
}
