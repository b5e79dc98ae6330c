import type { FeeEstimate, FeeEstimates } from '@portal/contract/billing/fee-estimates';

const steps: Record<FeeEstimate['lines'][number]['step'], string> = {
  addresses: 'Greater fee of both families',
  associate: 'Associate fee',
  nir: 'National registry',
  ldc: 'Least developed country',
  asns: 'AS numbers',
  'sign-up': 'Sign-up fee',
};

/** The calculation as CSV (RFC 4180): a line for each step, today's holding beside it where the account has one. */
export function estimateCsv({ estimate, years }: FeeEstimates, now: FeeEstimates | null): string {
  const row = (...cells: (string | number)[]): string =>
    cells.map(cell => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(',');
  const today = (of: (estimate: FeeEstimate) => string): string => (now ? of(now.estimate) : '');
  const names = [...new Set([...estimate.lines, ...(now?.estimate.lines ?? [])].map(({ step }) => step))];
  const lineOf = (from: FeeEstimate, step: string): string => from.lines.find(line => line.step === step)?.amount ?? '';
  return [
    row('step', `calculated (${estimate.currency})`, `now (${estimate.currency})`),
    row(
      'Term begins',
      estimate.begins,
      today(({ begins }) => begins),
    ),
    row(
      'IPv4 addresses',
      estimate.ipv4.count,
      today(({ ipv4 }) => ipv4.count),
    ),
    row(
      'IPv4 fee',
      estimate.ipv4.fee,
      today(({ ipv4 }) => ipv4.fee),
    ),
    row(
      'IPv6 /56',
      estimate.ipv6.count,
      today(({ ipv6 }) => ipv6.count),
    ),
    row(
      'IPv6 fee',
      estimate.ipv6.fee,
      today(({ ipv6 }) => ipv6.fee),
    ),
    ...names.map(step => row(steps[step], lineOf(estimate, step), now ? lineOf(now.estimate, step) : '')),
    row(
      'Subtotal',
      estimate.subtotal,
      today(({ subtotal }) => subtotal),
    ),
    row(
      'Tax',
      estimate.tax,
      today(({ tax }) => tax),
    ),
    row(
      'Total',
      estimate.total,
      today(({ total }) => total),
    ),
    ...years.map(each =>
      row(
        `Total ${each.begins.slice(0, 4)}${each.projected ? ' (projected)' : ''}`,
        each.total,
        now?.years.find(({ begins }) => begins === each.begins)?.total ?? '',
      ),
    ),
    '',
  ].join('\r\n');
}

/** Saves the calculation as a CSV file. */
export function saveEstimate(answer: FeeEstimates, now: FeeEstimates | null): void {
  const address = URL.createObjectURL(new Blob([estimateCsv(answer, now)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `fee-estimate-${answer.estimate.begins.slice(0, 4)}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
