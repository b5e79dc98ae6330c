import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import type { ZoneReport } from '@portal/contract/reverse-dns/zone-reports';
import { pathOfReport } from './delegation-path.ts';
import { DelegationPath } from './DelegationPath.tsx';
import { findingsInWords } from './findings-words.ts';
import { pathOfZone } from './zone-path.ts';

/** All of a check that two pages show, in one file that is loaded with the first report. */
export { CheckFindings } from './CheckFindings.tsx';

/** Draws the path that a check saw. */
export const ReportPath = ({ zone, report }: { zone: string; report: CheckReport }) => <DelegationPath path={pathOfReport(zone, report)} />;

/** Draws the path of a zone of the account, also before its first check. */
export const ZonePath = ({ report }: { report: ZoneReport }) => <DelegationPath path={pathOfZone(report)} />;

export const FindingCounts = ({ report }: { report: CheckReport }) => <span>{findingsInWords(report)}</span>;
