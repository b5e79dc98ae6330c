import { expect, test } from 'vitest';
import { readMetricLines } from './metric-lines.ts';

test('lines of /metrics are read with their kinds and labels', () => {
  const lines = [
    '# TYPE http_requests_total counter',
    'http_requests_total{method="GET",route="/api/:account/x",status="2xx"} 7',
    'http_requests_total{method="PUT",route="a \\"b\\" \\\\ c",status="4xx"} 1',
    '# TYPE tasks gauge',
    'tasks{state="queued"} 0',
    'unnamed 1.5e3',
    '# TYPE wait histogram',
    'wait_bucket{le="0.5"} 3',
    'wait_sum 1.2',
    'lag NaN',
    'not a line at all',
  ];
  expect(readMetricLines(lines)).toEqual([
    {
      name: 'http_requests_total',
      kind: 'counter',
      samples: [
        { labels: { method: 'GET', route: '/api/:account/x', status: '2xx' }, value: 7 },
        { labels: { method: 'PUT', route: 'a "b" \\ c', status: '4xx' }, value: 1 },
      ],
    },
    { name: 'tasks', kind: 'gauge', samples: [{ labels: { state: 'queued' }, value: 0 }] },
    { name: 'unnamed', kind: 'gauge', samples: [{ labels: {}, value: 1500 }] },
    { name: 'wait_bucket', kind: 'counter', samples: [{ labels: { le: '0.5' }, value: 3 }] },
    { name: 'wait_sum', kind: 'counter', samples: [{ labels: {}, value: 1.2 }] },
  ]);
});
