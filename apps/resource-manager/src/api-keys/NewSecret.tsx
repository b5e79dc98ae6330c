import { useAccount } from '@portal/app-kit';
import type { ApiKey } from '@portal/contract/api-keys/api-keys';
import { SecretOnce } from '../shell/SecretOnce.tsx';
import styles from './ApiKeys.module.css';

/** The secret of a key that was just made, with a call to try it. */
export function NewSecret({ apiKey, secret }: { apiKey: ApiKey; secret: string | null }) {
  const { accountName } = useAccount();
  return (
    <SecretOnce label={apiKey.label} rotates="the key" secret={secret} about="It is shown this once and can’t be recovered.">
      {apiKey.scopes.includes('resources:read') && (
        <>
          <p>Try it:</p>
          <pre className={`mono small ${styles.example}`}>
            {`curl -H "Authorization: Bearer $KEY" \\\n  ${window.location.origin}/registry-api/v1/${accountName}/resources/summary`}
          </pre>
        </>
      )}
    </SecretOnce>
  );
}
