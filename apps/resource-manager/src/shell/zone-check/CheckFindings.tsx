import { checkGroups, dnsChecks } from '@portal/contract/reverse-dns/check-catalogue';
import type { CheckReport, Finding } from '@portal/contract/reverse-dns/checks';
import { Badge, classNames, CopyButton, Disclosure, Icon, KeyValueList, Segmented } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import { failedOf } from './findings-words.ts';
import { recipeFor, type RecipeStep, type ServerKind, serverKinds } from './fix-recipes.ts';
import styles from './CheckFindings.module.css';

const marks = {
  error: { icon: 'invalid', kind: 'invalid', word: 'Blocking' },
  warning: { icon: 'warning', kind: 'warning', word: 'Warning' },
  notice: { icon: 'info', kind: 'neutral', word: 'Notice' },
} as const;

/** Every finding of a check, the worst first: why it matters, what follows, and how to fix it. `nextOf` says what the registry does about a server. */
export function CheckFindings({
  zone,
  report,
  nextOf = () => null,
}: {
  zone: string;
  report: CheckReport;
  nextOf?: (finding: Finding) => ReactNode;
}) {
  const failed = failedOf(report);
  return (
    <>
      {failed.map((finding, index) => (
        <OneFinding
          key={`${finding.check} ${finding.server} ${finding.detail}`}
          zone={zone}
          report={report}
          finding={finding}
          next={nextOf(finding)}
          open={finding.severity === 'error' || (index === 0 && finding.severity === 'warning')}
        />
      ))}
      <PassedChecks report={report} />
    </>
  );
}

function OneFinding({
  zone,
  report,
  finding,
  next,
  open,
}: {
  zone: string;
  report: CheckReport;
  finding: Finding;
  next: ReactNode;
  open: boolean;
}) {
  const { title, why, fix } = dnsChecks[finding.check];
  const { icon, kind, word } = marks[finding.severity];
  const raw = report.raw.filter(each => finding.server !== null && each.server === finding.server);
  return (
    <details className={classNames(styles.finding, finding.severity === 'error' && styles.error)} open={open}>
      <summary>
        <Icon name={icon} className={styles[finding.severity]} />
        <span className="strong">{finding.detail || title}</span>
        <Badge kind={kind}>{word}</Badge>
        <span className={styles.detail}>
          Expected: {title.toLowerCase().startsWith('ds') ? title : title.charAt(0).toLowerCase() + title.slice(1)}
        </span>
      </summary>
      <div className={styles.more}>
        <div className={styles.columns}>
          <div>
            <h3>Why it matters</h3>
            <p>{why}</p>
          </div>
          {next && (
            <div>
              <h3>Next steps</h3>
              {next}
            </div>
          )}
        </div>
        <HowToFix zone={zone} report={report} finding={finding} fix={fix} />
        {raw.length > 0 && (
          <Disclosure summary={`Raw answers, ${raw.length}`}>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach it */}
            <pre className={styles.raw} tabIndex={0}>
              {raw.map(({ question, milliseconds, text }) => `; ${question}, ${Math.round(milliseconds)} ms\n${text}\n\n`).join('')}
            </pre>
          </Disclosure>
        )}
      </div>
    </details>
  );
}

function HowToFix({ zone, report, finding, fix }: { zone: string; report: CheckReport; finding: Finding; fix: string }) {
  const [kind, setKind] = useState<ServerKind>('bind');
  const failing =
    report.servers.find(({ server }) => server === finding.server) ?? report.servers.find(({ state }) => state !== 'authoritative');
  const primary = report.servers.find(({ state, server }) => state === 'authoritative' && server !== failing?.server);
  const about = {
    zone,
    server: failing?.server ?? finding.server ?? 'the primary',
    address: failing?.address ?? '192.0.2.54',
    primary: primary ? { server: primary.server, address: primary.address } : null,
  };
  const steps = recipeFor(finding.check, kind, about);
  return (
    <div>
      <div className={styles.fixHead}>
        <h3>How to fix</h3>
        {steps && <Segmented label="Name server software" options={serverKinds} value={kind} onChange={setKind} />}
      </div>
      {steps ? (
        <ol className={styles.how}>
          {steps.map(step => (
            <Step key={step.text} step={step} />
          ))}
          <li>Check again. The registry also checks every few days, and clears this when it passes.</li>
        </ol>
      ) : (
        <p>{fix}</p>
      )}
    </div>
  );
}

function Step({ step: { text, code } }: { step: RecipeStep }) {
  return (
    <li>
      {text}
      {code && (
        <div className={styles.code}>
          <div>
            <span>{code.title}</span>
            <CopyButton text={code.text} label={`Copy ${code.title}`} />
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach it */}
          <pre tabIndex={0}>{code.text}</pre>
        </div>
      )}
    </li>
  );
}

function PassedChecks({ report: { findings } }: { report: CheckReport }) {
  const passed = findings.filter(({ state }) => state === 'passed');
  const skipped = findings.filter(({ state }) => state === 'skipped');
  return (
    <>
      <div className={styles.passed}>
        <span>
          <Icon name="valid" /> {passed.length} checks passed
        </span>
        {Object.entries(checkGroups).map(([group, name]) => {
          const these = passed.filter(each => each.group === group).length;
          return these > 0 ? (
            <span key={group} className="quiet">
              {name} {these}
            </span>
          ) : null;
        })}
        {skipped.length > 0 && <span className="quiet">{skipped.length} not made</span>}
      </div>
      <div className={styles.passed}>
        <Disclosure summary="Every check that passed or was left out">
          <KeyValueList
            align="left"
            items={[...passed, ...skipped].map(({ check, detail, state }, index) => ({
              id: `${check}${index}`,
              key: dnsChecks[check].title,
              value: `${state === 'skipped' ? 'Not made: ' : ''}${detail || 'Passed'}`,
            }))}
          />
        </Disclosure>
      </div>
    </>
  );
}
