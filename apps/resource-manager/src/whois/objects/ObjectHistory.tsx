import { type Draft, useAccount, useAddress, useAnswer, useSteadyAnswer } from '@portal/app-kit';
import { whois, type WhoisClass, type WhoisObject, type WhoisVersion } from '@portal/contract/whois/whois';
import { Badge, Button, DateText, Row, Sheet, SkeletonLines, Stack } from '@portal/ui';
import { Suspense } from 'react';
import { Difference } from '../text/Difference.tsx';
import { hrefOfObject } from '../text/object-address.ts';
import type { Unsaved } from '../editor/edited-object.ts';
import styles from './ObjectHistory.module.css';

const pageSize = 50;
const words: Record<WhoisVersion['operation'], string> = { create: 'Created', modify: 'Changed', delete: 'Deleted' };

type Props = {
  objectClass: WhoisClass;
  objectKey: string;
  /** The current version; null if it was deleted. */
  stored: WhoisObject | null;
  draft: Draft<Unsaved | null>;
  mayRestore: boolean;
};

/** Every version of an object: who changed what, and a way to restore it. */
export function ObjectHistory(props: Props) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const page = Math.max(1, Number(address.get('versions')) || 1);
  const { objectClass, objectKey } = props;
  const { answer } = useSteadyAnswer(whois.listVersions, {
    account,
    query: { class: objectClass, key: objectKey, offset: (page - 1) * pageSize, limit: pageSize },
  });
  const asked = Number(address.get('version'));
  const chosen = answer.rows.find(({ version }) => version === asked)?.version ?? (asked > 0 ? asked : answer.rows[0]?.version);
  return (
    <div className={styles.both}>
      <Sheet title="Versions" meta={String(answer.total)} flush>
        <ol className={styles.versions} aria-label="Versions, newest first">
          {answer.rows.map(({ version, operation, at, by, reason }) => (
            <li key={version}>
              <button
                type="button"
                className={styles.version}
                aria-current={version === chosen ? 'true' : undefined}
                onClick={() => address.set({ version: String(version) })}
              >
                <span>
                  <span className="strong">Version {version}</span> {words[operation]}
                </span>
                <span className="small muted">
                  <DateText value={at} />, {by}
                </span>
                {reason !== '' && <span className="small">{reason}</span>}
              </button>
            </li>
          ))}
        </ol>
        {answer.total > pageSize && (
          <div className={styles.pages}>
            <Row gap={8}>
              {page > 1 && (
                <Button size="s" onClick={() => address.set({ versions: String(page - 1) })}>
                  Newer
                </Button>
              )}
              {page * pageSize < answer.total && (
                <Button size="s" onClick={() => address.set({ versions: String(page + 1) })}>
                  Older
                </Button>
              )}
            </Row>
          </div>
        )}
      </Sheet>
      <Sheet title={`Version ${chosen}`} flush>
        {chosen !== undefined && (
          <Suspense fallback={<SkeletonLines lines={8} label="Loading the version" />}>
            <Version {...props} version={chosen} last={answer.rows[0]?.version ?? chosen} />
          </Suspense>
        )}
      </Sheet>
    </div>
  );
}

function Version({ objectClass, objectKey, stored, draft, mayRestore, version, last }: Props & { version: number; last: number }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const shown = useAnswer(whois.getVersion, { account, query: { class: objectClass, key: objectKey, version } });
  const isDelete = shown.operation === 'delete';
  const isPresent = stored !== null && version === stored.version;
  const restore = () => {
    draft.set({ text: shown.text, base: stored && { version: stored.version, text: stored.text } });
    address.go(hrefOfObject(objectClass, objectKey));
  };
  return (
    <Stack gap={0}>
      <div className={styles.facts}>
        <Row gap={8} wrap>
          <Badge kind="line">{words[shown.operation]}</Badge>
          <span className="small muted">
            <DateText value={shown.at} />, {shown.by}, serial {shown.serial}
          </span>
          {isPresent && <Badge kind="valid">As it is now</Badge>}
        </Row>
        {mayRestore && !isPresent && (
          <Button
            size="s"
            icon="refresh"
            refusal={draft.value ? { reason: 'This object has unsaved changes. Save or discard them first' } : null}
            refusalIn="note"
            onClick={restore}
          >
            {stored ? 'Restore as a new version' : isDelete && version === last ? 'Restore the object' : 'Restore this version'}
          </Button>
        )}
      </div>
      <div className={styles.difference}>
        <Difference
          before={isDelete ? shown.text : shown.before}
          after={isDelete ? null : shown.text}
          label={`What changed in version ${version}`}
        />
      </div>
    </Stack>
  );
}
