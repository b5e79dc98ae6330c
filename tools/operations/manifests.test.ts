import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../apps/server/src/config.ts';
import { root } from '../root.ts';

const read = (file: string): string => readFileSync(path.join(root, 'ops', file), 'utf8');
const known = new Set(Object.values(settings).map(({ name }) => name));
const roles = ['web', 'worker', 'whois', 'publisher'];

type Environment = { name: string; value: string }[];
type Container = {
  name: string;
  image: string;
  env?: Environment;
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
};
type Probe = { httpGet?: { path: string; port: string }; tcpSocket?: { port: string } };
type PodSpec = {
  containers: Container[];
  volumes: { name: string }[];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
};
type Manifest = {
  kind: string;
  metadata: { name: string };
  spec: {
    template?: { spec: PodSpec; metadata: { labels: Record<string, string> } };
    selector?: unknown;
    ports?: { targetPort: string }[];
    minReplicas?: number;
  };
};

const listed = (parse(read('kubernetes/kustomization.yaml')) as { resources: string[] }).resources;
const manifests = listed.flatMap(file => parseAllDocuments(read(`kubernetes/${file}`)).map(document => document.toJS() as Manifest));
const named = (kind: string): string[] => manifests.filter(each => each.kind === kind).map(({ metadata }) => metadata.name);
const pods = manifests.flatMap(({ kind, metadata, spec }) => (spec?.template ? [{ kind, name: metadata.name, ...spec.template }] : []));

type Service = {
  image: string;
  environment?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  user?: string;
  stop_grace_period?: string;
  mem_limit?: string;
  volumes?: string[];
  depends_on?: unknown;
  command?: string[];
};
const compose = parse(read('compose/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const programs = Object.entries(compose.services).filter(([, { image }]) => image.includes('myregistry'));

test('every manifest is in the list that is applied', () => {
  const files = readdirSync(path.join(root, 'ops/kubernetes')).filter(name => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  expect([...listed].sort()).toEqual(files.sort());
  expect(named('Deployment').sort()).toEqual([...roles].sort());
});

test('what serves people survives a machine that goes, and grows with its load', () => {
  expect(named('PodDisruptionBudget').sort()).toEqual(['web', 'whois', 'worker']);
  expect(named('HorizontalPodAutoscaler').sort()).toEqual(['web', 'whois']);
  for (const { kind, spec } of manifests) if (kind === 'HorizontalPodAutoscaler') expect(spec.minReplicas).toBeGreaterThanOrEqual(2);
});

test('every pod runs without root, on a read-only system, within bounds, and without rights in the cluster', () => {
  expect(pods.length).toBe(5);
  for (const { spec } of pods) {
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } });
    for (const { securityContext, resources, volumeMounts } of spec.containers) {
      expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String) as string },
        limits: { memory: expect.any(String) as string },
      });
      const volumes = spec.volumes.map(({ name }) => name);
      expect(volumeMounts.filter(({ name }) => !volumes.includes(name))).toEqual([]);
    }
  }
});

test('each role has its probes on ports it opens, and more time to end than the program takes', () => {
  for (const role of roles) {
    const { spec, metadata } = pods.find(({ name }) => name === role)!;
    const [container] = spec.containers;
    expect(metadata.labels['app.kubernetes.io/component']).toBe(role);
    expect(container!.env).toContainEqual({ name: 'ROLES', value: role });
    const ports = container!.ports!.map(({ name }) => name);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
      expect(ports).toContain(container![probe]?.httpGet?.port);
    // A database that is away must not restart every process.
    expect(container!.livenessProbe!.httpGet!.path).toBe('/healthz');
    expect(container!.readinessProbe!.httpGet!.path).toMatch(/^\/readyz(\?role=whois)?$/);
    const notice = Number(container!.env?.find(({ name }) => name === 'SHUTDOWN_NOTICE_SECONDS')?.value ?? 0);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(notice + Number(settings.shutdownSeconds.default));
  }
});

test('what manifests and examples set are settings of the program', () => {
  const inPods = pods.flatMap(({ spec }) => spec.containers.flatMap(({ env }) => env?.map(({ name }) => name) ?? []));
  const inCompose = programs.flatMap(([, { environment = {} }]) => Object.keys(environment));
  const inExamples = ['compose', 'kubernetes'].flatMap(folder =>
    [...read(`${folder}/registry.env.example`).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!),
  );
  expect(inExamples).toContain('SECRET_KEY');
  expect([...inPods, ...inCompose, ...inExamples].filter(name => !known.has(name))).toEqual([]);
});

test('the examples hold no secret', () => {
  for (const file of ['compose/registry.env.example', 'compose/database.env.example', 'kubernetes/registry.env.example'])
    for (const [, name, value] of read(file).matchAll(/^(\w*(?:KEY|TOKEN|PASSWORD))=(.*)$/gm)) expect(value, `${file}: ${name}`).toBe('');
});

test('compose starts every role after the migrations, two for the web, each without root and read-only', () => {
  expect(programs.map(([name]) => name).sort()).toEqual(['migrate', 'publisher', 'rsync', 'web-a', 'web-b', 'whois', 'worker']);
  expect(programs.flatMap(([, { environment }]) => environment?.ROLES ?? []).sort()).toEqual([
    'publisher',
    'web',
    'web',
    'whois',
    'worker',
  ]);
  for (const [name, service] of programs) {
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: '10001:10001', stop_grace_period: '60s' });
    if (name !== 'migrate')
      expect(service, name).toMatchObject({ depends_on: { migrate: { condition: 'service_completed_successfully' } } });
    if (name !== 'migrate') expect(service.mem_limit, name).toMatch(/^\d+[gm]$/);
  }
  for (const [, { volumes = [] }] of Object.entries(compose.services))
    for (const [folder] of volumes.map(volume => volume.split(':')))
      if (!folder!.startsWith('.')) expect(Object.keys(compose.volumes)).toContain(folder);
  // The proxy asks both.
  expect(read('compose/Caddyfile')).toContain('reverse_proxy web-a:8080 web-b:8080');
});

test('the image has no root, ends as the program wants to be ended, and says whether it answers', () => {
  const lines = read('image/Containerfile').split('\n');
  expect(lines).toContain('USER 10001:10001');
  expect(lines).toContain('STOPSIGNAL SIGTERM');
  expect(lines.some(line => line.startsWith('HEALTHCHECK ') && line.includes('/opt/myregistry/bin/health-check.mjs'))).toBe(true);
  const set = /^ENV (.*)$/m
    .exec(read('image/Containerfile'))![1]!
    .split(' ')
    .map(pair => pair.split('=')[0]!);
  expect(set.filter(name => name !== 'PATH' && !known.has(name))).toEqual([]);
  // What is copied into the build is the same for both names of the file.
  expect(readFileSync(path.join(root, '.dockerignore'), 'utf8')).toBe(readFileSync(path.join(root, '.containerignore'), 'utf8'));
});
