import { Page, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { type FeatureDetails, type FeatureSetting, features } from '@portal/contract/features/features';
import { pages } from '@portal/contract/pages';
import { Badge, Banner, Breadcrumb, Button, DateText, Disclosure, EmptyState, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import { AskForAccount } from './AskForAccount.tsx';
import { countInWords, markOf, standingInWords } from './feature-words.ts';
import styles from './Features.module.css';

const FeatureForm = later(() => import('./FeatureForm.tsx'), 'FeatureForm');

/** One feature: who has it, what it opens, whether an account has it, and all its settings. */
export function FeatureView({ feature }: { feature: string }) {
  const details = useAnswer(features.getFeature, { feature });
  const may = useMay();
  /** The setting with which the form begins; null while it is closed. */
  const [begin, setBegin] = useState<FeatureSetting | null>(null);
  const mayChange = may(features.setFeature);
  const { title, does, setting, variable, offByInstallation, accountsOn, accountsTotal } = details;
  const { kind, words } = markOf(details);
  return (
    <Page
      title={title}
      sub={does}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskFeatures.title, href: pages.deskFeatures.path }, { label: title }]} />}
      actions={
        mayChange &&
        begin === null && (
          <Button icon="edit" variant="primary" onClick={() => setBegin(setting)}>
            Change
          </Button>
        )
      }
    >
      <Stack gap={16}>
        {offByInstallation && (
          <Banner kind="warning" title="This feature is off in the installation’s settings.">
            While <span className="mono">{variable}</span> is no, it’s off for everyone. What you set here applies once that is yes.
          </Banner>
        )}
        {begin && (
          <FeatureForm key={`${setting.edition} ${begin.edition}`} details={details} begin={begin} onClose={() => setBegin(null)} />
        )}
        <div className={styles.beside}>
          <Stack gap={16}>
            <Sheet title="Now" meta={<Badge kind={kind}>{words}</Badge>}>
              <Stack gap={8}>
                <p>{countInWords(accountsOn, accountsTotal)} have it now.</p>
                {setting.accounts.length > 0 && (
                  <p className={styles.names}>
                    <span className="quiet">Named:</span> {setting.accounts.join(', ')}
                  </p>
                )}
                {setting.edition === 0 && <p className="quiet">Never changed. New features are on for everyone.</p>}
              </Stack>
            </Sheet>
            <History details={details} {...(mayChange && { onAgain: setBegin })} />
          </Stack>
          <Stack gap={16}>
            <AskForAccount feature={feature} />
            <Opens details={details} />
          </Stack>
        </div>
      </Stack>
    </Page>
  );
}

/** The calls that are refused and the pages that are hidden without the feature. */
function Opens({ details: { calls, pages: opened } }: { details: FeatureDetails }) {
  return (
    <Sheet title="What it opens">
      <Stack gap={12}>
        {opened.length > 0 ? (
          <ul className={styles.opens} aria-label="Pages">
            {opened.map(({ title, path }) => (
              <li key={path}>
                <p>{title}</p>
                <p className="quiet small mono">{path}</p>
              </li>
            ))}
          </ul>
        ) : (
          <p className="quiet small">This feature has no page of its own. Its buttons are disabled where it is off.</p>
        )}
        <Disclosure summary={`${calls.length} ${calls.length === 1 ? 'call' : 'calls'} of the API`}>
          <ul className={styles.opens} aria-label="Calls">
            {calls.map(({ id, method, path, summary }) => (
              <li key={id}>
                <p className="small">{summary}</p>
                <p className={`quiet small mono ${styles.names}`}>
                  {method} {path}
                </p>
              </li>
            ))}
          </ul>
        </Disclosure>
      </Stack>
    </Sheet>
  );
}

function History({ details: { settings }, onAgain }: { details: FeatureDetails; onAgain?: (setting: FeatureSetting) => void }) {
  return (
    <Sheet title="History">
      {settings.length === 0 ? (
        <EmptyState title="No changes yet" picture={false}>
          Each change appears here with its reason.
        </EmptyState>
      ) : (
        <ol className={styles.settings}>
          {settings.map((each, place) => (
            <li key={each.edition}>
              <p className="strong">{standingInWords(each)}</p>
              <p className="quiet small">
                <DateText value={each.changedAt!} /> by <bdi>{each.changedBy}</bdi>
              </p>
              {each.accounts.length > 0 && <p className={`small ${styles.names}`}>{each.accounts.join(', ')}</p>}
              <p>
                <span className="quiet">Reason:</span> <bdi>{each.reason}</bdi>
              </p>
              {onAgain && place > 0 && (
                <Button size="s" aria-label={`Set again: ${standingInWords(each)}`} onClick={() => onAgain(each)}>
                  Set again
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  );
}
