import { CopyButton, Disclosure, Link, Row, Sheet, Stack } from '@portal/ui';
import { asApiCall } from '../calls/api-call.ts';
import type { LastChange } from '../calls/last-change.ts';
import styles from './AsApiCall.module.css';

/** Shows a change as a call of the registry API, where the registry API has it. */
export function AsApiCall({ change: { endpoint, input } }: { change: LastChange }) {
  const text = asApiCall(endpoint, input, window.location.origin);
  if (text === null) return null;
  return (
    <Sheet aria-label="As API call" className={styles.sheet}>
      <Disclosure summary="As API call">
        <Stack gap={8}>
          <p className="small muted">
            A program makes the same change with an API key. Add <code>?dry-run=true</code> to try it without storing anything.
          </p>
          <pre className={`mono small ${styles.call}`}>{text}</pre>
          <Row gap={8} wrap>
            <CopyButton text={text} label="Copy call" />
            <Link href={`/registry-api/docs#${endpoint.id}`} target="_blank">
              API reference
            </Link>
          </Row>
        </Stack>
      </Disclosure>
    </Sheet>
  );
}
