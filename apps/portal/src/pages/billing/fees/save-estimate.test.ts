import type { FeeEstimates } from '@portal/contract/billing/fee-estimates';
import { expect, it } from 'vitest';
import { estimateCsv } from './save-estimate.ts';

const part = { count: '0', bits: 0, fee: '0.00' };
const answer: FeeEstimates = {
  estimate: {
    begins: '2027-01-01',
    projected: false,
    currency: 'AUD',
    schedule: {
      validFrom: '2027-01-01',
      base: '1356.00',
      factor: '1.3250',
      ipv4Base: 24,
      ipv6Base: 34,
      nirMultiplier: '2.90',
      ldcShare: '0.50',
      freeAsns: 2,
      asnFee: '100.00',
    },
    ipv4: { count: '1024', bits: 2, fee: '2380.63' },
    ipv6: part,
    charged: 'ipv4',
    lines: [{ step: 'addresses', quantity: 1, unit: '2380.63', amount: '2380.63' }],
    subtotal: '2380.63',
    taxRate: null,
    tax: '0.00',
    total: '2380.63',
    votes: 2,
  },
  years: [{ begins: '2028-01-01', projected: true, total: '2492.99' }],
  before: null,
  transferFee: null,
  choices: { years: [2027, 2028], economies: ['AU'] },
};

it('the file has a line for each step and year, and today’s holding beside it', () => {
  const lines = estimateCsv(answer, { ...answer, estimate: { ...answer.estimate, total: '1356.00', lines: [] } }).split('\r\n');
  expect(lines[0]).toBe('step,calculated (AUD),now (AUD)');
  expect(lines).toContain('Greater fee of both families,2380.63,');
  expect(lines).toContain('Total,2380.63,1356.00');
  expect(lines).toContain('Total 2028 (projected),2492.99,2492.99');
});
