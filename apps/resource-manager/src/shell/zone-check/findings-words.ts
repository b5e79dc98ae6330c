import type { CheckReport, Finding } from '@portal/contract/reverse-dns/checks';

const order = { error: 0, warning: 1, notice: 2 };

/** Failed findings of a check, the worst first. */
export const failedOf = ({ findings }: CheckReport): Finding[] =>
  findings.filter(({ state }) => state === 'failed').toSorted((a, b) => order[a.severity] - order[b.severity]);

/** "1 blocking, 2 warnings, 1 notice, 40 passed" */
export function findingsInWords(report: CheckReport): string {
  const failed = failedOf(report);
  const count = (severity: Finding['severity']): number => failed.filter(each => each.severity === severity).length;
  const [errors, warnings, notices] = [count('error'), count('warning'), count('notice')];
  const passed = report.findings.filter(({ state }) => state === 'passed').length;
  return [
    errors > 0 && `${errors} blocking`,
    warnings > 0 && `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
    notices > 0 && `${notices} ${notices === 1 ? 'notice' : 'notices'}`,
    `${passed} passed`,
  ]
    .filter(Boolean)
    .join(', ');
}
