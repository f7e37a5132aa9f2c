/*
 * Goal: what the chart renders is what Kubernetes takes, and means what deploy/README.md says. Method: Helm renders it, and the
 * types of Kubernetes and of Prometheus' operator read it as an API server with fieldValidation=Strict would. No cluster runs it.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { spawnLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder } from '../support/server/server.js';
import { hasGo, type Ran, runProgram } from './programs.js';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const chart = join(deploy, 'helm/loadout');
// Helm compiled without its release script takes itself for a client of Kubernetes 1.20.
const kubernetes = ['--kube-version', '1.34.0'];

const fleet = {
  replicas: 3,
  database: {
    existingSecret: 'loadout-database',
    prepare: { enabled: true, existingSecret: 'loadout-owner' },
  },
  adminToken: { existingSecret: 'loadout-admin' },
  tls: { existingSecret: 'loadout-tls' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  grafanaDashboard: { enabled: true },
  networkPolicy: { adminNamespaces: ['ops'], metricsNamespaces: ['monitoring'] },
  configuration: { processes: 4, 'cors-origins': ['https://game.example'] },
  imagePullSecrets: [{ name: 'registry' }],
  persistence: { storageClassName: 'fast' },
  service: { type: 'LoadBalancer', annotations: { 'example.com/internal': 'false' } },
  podAnnotations: { 'example.com/team': 'live-ops' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'games', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};

// biome-ignore lint/suspicious/noExplicitAny: objects of every kind; a wrong one fails the assertion.
type Manifest = any;

function render(values: object, folder = chart): Ran {
  const args = ['template', 'shop', folder, ...kubernetes, '--namespace', 'games', '--values', '-'];
  return runProgram('helm', args, JSON.stringify(values));
}

function decode(rendered: Ran): readonly Manifest[] {
  expect(rendered.code, rendered.stderr).toBe(0);
  const decoded = runProgram('manifests', ['kubernetes'], rendered.stdout);
  expect(decoded.code, decoded.stderr).toBe(0);
  return JSON.parse(decoded.stdout);
}

function find(manifests: readonly Manifest[], kind: string, name = 'shop-loadout'): Manifest {
  return manifests.find((one) => one.kind === kind && one.metadata.name === name);
}

const kindsOf = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();

describe.skipIf(!hasGo)('the chart', () => {
  it('passes helm lint --strict, as it is and for a fleet', () => {
    for (const values of [{}, fleet]) {
      const args = ['lint', '--strict', chart, ...kubernetes, '--values', '-'];
      const { code, stdout } = runProgram('helm', args, JSON.stringify(values));
      expect(code, stdout).toBe(0);
    }
  });

  it('makes one server with a store of its own of its default values', () => {
    const manifests = decode(render({}));
    expect(kindsOf(manifests)).toEqual([
      'ConfigMap shop-loadout',
      'NetworkPolicy shop-loadout',
      'PodDisruptionBudget shop-loadout',
      'Service shop-loadout',
      'Service shop-loadout-admin',
      'Service shop-loadout-nodes',
      'ServiceAccount shop-loadout',
      'StatefulSet shop-loadout',
    ]);
    const { spec } = find(manifests, 'StatefulSet');
    expect(spec.replicas).toBe(1);
    expect(spec.template.spec.volumes.map((volume: Manifest) => volume.name)).toEqual([
      'configuration',
      'temporary',
    ]);
  });

  it('configures servers with options that they accept', async () => {
    const { data } = find(decode(render({ configuration: { 'keep-revisions': 50 } })), 'ConfigMap');
    const folder = makeDataFolder();
    const file = join(folder, 'loadout.jsonc');
    writeFileSync(file, data['loadout.jsonc']);
    expect(data['loadout.jsonc']).toContain('"keep-revisions": 50');
    const flags = ['--port', '0', '--admin-port', '0', '--metrics-port', '0', '--data', folder];
    const ran = await spawnLoadout(['serve', '--check', '--config', file, ...flags]);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
  });

  describe('of a fleet', () => {
    let manifests: readonly Manifest[];
    let pod: Manifest;

    beforeAll(() => {
      manifests = decode(render(fleet));
      pod = find(manifests, 'StatefulSet').spec.template.spec;
    });

    it('has the Job, the monitor, the rules and the dashboard beside it', () => {
      expect(kindsOf(manifests)).toEqual(
        expect.arrayContaining([
          'ConfigMap shop-loadout-dashboard',
          'Job shop-loadout-prepare',
          'PrometheusRule shop-loadout',
          'ServiceMonitor shop-loadout',
        ]),
      );
      const { groups } = find(manifests, 'PrometheusRule').spec;
      expect(groups.length).toBeGreaterThan(0);
      const { data } = find(manifests, 'ConfigMap', 'shop-loadout-dashboard');
      expect(JSON.parse(data['loadout.json'])).toEqual(
        JSON.parse(readFileSync(join(deploy, 'grafana/loadout.json'), 'utf8')),
      );
    });

    it('confines its containers', () => {
      const job = find(manifests, 'Job', 'shop-loadout-prepare').spec.template.spec;
      for (const { securityContext, containers, automountServiceAccountToken } of [pod, job]) {
        expect(securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(automountServiceAccountToken).toBe(false);
        expect(containers[0].securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    });

    it('mounts secrets as files that only the server reads', () => {
      const configuration = JSON.parse(find(manifests, 'ConfigMap').data['loadout.jsonc']);
      const secrets = pod.volumes.find((volume: Manifest) => volume.name === 'secrets').projected;
      expect(secrets.defaultMode).toBe(0o440);
      expect(secrets.sources.map(({ secret }: Manifest) => secret.name)).toEqual([
        'loadout-database',
        'loadout-admin',
      ]);
      const mounts = pod.containers[0].volumeMounts.map((mount: Manifest) => mount.mountPath);
      for (const path of [configuration['database-file'], configuration['tls-key']]) {
        expect(
          mounts.some((mount: string) => path.startsWith(`${mount}/`)),
          path,
        ).toBe(true);
      }
      expect(JSON.stringify(pod)).not.toContain('secretKeyRef');
    });

    it('waits for a server that drains, and asks the ports that each probe means', () => {
      const [{ livenessProbe, readinessProbe, startupProbe, ports }] = pod.containers;
      const { 'drain-delay': delay } = JSON.parse(
        find(manifests, 'ConfigMap').data['loadout.jsonc'],
      );
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(delay + 25);
      expect(readinessProbe.httpGet).toEqual({
        path: '/healthz',
        port: 'delivery',
        scheme: 'HTTPS',
      });
      for (const { httpGet } of [livenessProbe, startupProbe]) {
        expect(httpGet).toEqual({ path: '/healthz', port: 'metrics' });
      }
      // It must be out of the Services before it stops to serve.
      const { periodSeconds, failureThreshold } = readinessProbe;
      expect(periodSeconds * failureThreshold).toBeLessThan(delay);
      expect(ports.map(({ name }: Manifest) => name)).toEqual(['delivery', 'admin', 'metrics']);
    });

    it('lets players in from anywhere, people and Prometheus from their namespaces', () => {
      const { ingress } = find(manifests, 'NetworkPolicy').spec;
      const peers = ingress.map(({ ports, from }: Manifest) => [
        ports[0].port,
        from?.[0].namespaceSelector.matchExpressions[0].values,
      ]);
      expect(peers).toEqual([
        ['delivery', undefined],
        ['admin', ['ops']],
        ['metrics', ['monitoring']],
      ]);
    });

    it('selects its own pods, and no others', () => {
      const { selector, template, serviceName } = find(manifests, 'StatefulSet').spec;
      const jobLabels = find(manifests, 'Job', 'shop-loadout-prepare').spec.template.metadata
        .labels;
      const selectors = manifests.flatMap(({ kind, spec }) =>
        kind === 'Service'
          ? [spec.selector]
          : kind === 'NetworkPolicy'
            ? [spec.podSelector.matchLabels]
            : [],
      );
      for (const each of [...selectors, selector.matchLabels]) {
        expect(template.metadata.labels).toMatchObject(each);
        expect(jobLabels).not.toMatchObject(each);
      }
      const nodes = find(manifests, 'Service', serviceName);
      expect(nodes.spec.clusterIP).toBe('None');
      const monitor = find(manifests, 'ServiceMonitor').spec;
      expect(nodes.metadata.labels).toMatchObject(monitor.selector.matchLabels);
      expect(nodes.metadata.labels[monitor.jobLabel]).toBe('loadout');
      expect(nodes.spec.ports[0].name).toBe(monitor.endpoints[0].port);
    });
  });

  it('refuses several servers without a database', () => {
    const { code, stderr } = render({ replicas: 3 });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'replicas > 1 needs database.existingSecret: servers with a store of their own each would deliver different contents.',
    );
  });

  it.each([
    ['a misspelt value', { replica: 3 }, "additional properties 'replica' not allowed"],
    ['one of a group', { tls: { secret: 'x' } }, "additional properties 'secret' not allowed"],
    ['an option that the chart sets', { configuration: { port: 9 } }, "'port'"],
    [
      'a Job without a Secret',
      { database: { prepare: { enabled: true } } },
      'database.prepare.existingSecret',
    ],
  ])('refuses %s', (_what, values, message) => {
    const { code, stderr } = render(values);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it.each([
    ['statefulset.yaml', 'serviceName:', 'servicename:'],
    ['statefulset.yaml', 'periodSeconds: 3', 'periodSecond: 3'],
    ['networkpolicy.yaml', 'policyTypes:', 'policyType:'],
    ['monitoring.yaml', 'interval: {{', 'intervall: {{'],
    ['prepare-job.yaml', 'activeDeadlineSeconds: 600', 'backoffLimit: 600'],
  ])('would not pass with %s changed from "%s" to "%s"', (file, from, to) => {
    const folder = mkdtempSync(join(tmpdir(), 'loadout-chart-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(chart, folder, { recursive: true, dereference: true });
    const template = join(folder, 'templates', file);
    const text = readFileSync(template, 'utf8');
    expect(text).toContain(from);
    writeFileSync(template, text.replace(from, to));
    const rendered = render(fleet, folder);
    expect(rendered.code, rendered.stderr).toBe(0);
    const decoded = runProgram('manifests', ['kubernetes'], rendered.stdout);
    expect(decoded.code).toBe(1);
    expect(decoded.stderr).toMatch(/unknown field|duplicate|already set|already defined/);
  });
});
