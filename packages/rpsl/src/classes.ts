import { type AttributeName, longName } from './attributes.ts';

/** Classes of objects the database holds. */
export type ClassName =
  | 'inetnum'
  | 'inet6num'
  | 'as-block'
  | 'aut-num'
  | 'as-set'
  | 'route'
  | 'route6'
  | 'route-set'
  | 'inet-rtr'
  | 'filter-set'
  | 'peering-set'
  | 'rtr-set'
  | 'domain'
  | 'mntner'
  | 'irt'
  | 'key-cert'
  | 'organisation'
  | 'role'
  | 'person';

/** `primary` identifies the object, `lookup` is found by a plain query, `inverse` by `-i`. */
export type KeyUse = 'primary' | 'lookup' | 'inverse';

/** Place of one attribute in a class. */
export interface TemplateRow {
  readonly attribute: AttributeName;
  /** `generated` lines are made by the server; what is sent is replaced. */
  readonly need: 'mandatory' | 'optional' | 'generated';
  readonly often: 'single' | 'many';
  readonly key: readonly KeyUse[];
}

export interface ClassRule {
  readonly name: ClassName;
  /** Place in answers: lower comes first. */
  readonly order: number;
  /** In the order templates and forms show. */
  readonly template: readonly TemplateRow[];
}

/** The 19 classes with their templates, in the order of answers. */
export const classes: Readonly<Record<ClassName, ClassRule>> = {
  inetnum: {
    name: 'inetnum',
    order: 5,
    template: [
      row('inetnum', 'mandatory', 'single', 'primary', 'lookup'),
      row('netname', 'mandatory', 'single', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('country', 'mandatory', 'many'),
      row('geofeed', 'optional', 'single'),
      row('geoloc', 'optional', 'single'),
      row('language', 'optional', 'many'),
      row('org', 'optional', 'single', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('abuse-c', 'optional', 'single', 'inverse'),
      row('status', 'mandatory', 'single'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('mnt-domains', 'optional', 'many', 'inverse'),
      row('mnt-routes', 'optional', 'many', 'inverse'),
      row('mnt-irt', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  inet6num: {
    name: 'inet6num',
    order: 6,
    template: [
      row('inet6num', 'mandatory', 'single', 'primary', 'lookup'),
      row('netname', 'mandatory', 'single', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('country', 'mandatory', 'many'),
      row('geofeed', 'optional', 'single'),
      row('geoloc', 'optional', 'single'),
      row('language', 'optional', 'many'),
      row('org', 'optional', 'single', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('abuse-c', 'optional', 'single', 'inverse'),
      row('status', 'mandatory', 'single'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('mnt-domains', 'optional', 'many', 'inverse'),
      row('mnt-routes', 'optional', 'many', 'inverse'),
      row('mnt-irt', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'as-block': {
    name: 'as-block',
    order: 7,
    template: [
      row('as-block', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'optional', 'many'),
      row('remarks', 'optional', 'many'),
      row('country', 'optional', 'single'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('org', 'optional', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'aut-num': {
    name: 'aut-num',
    order: 8,
    template: [
      row('aut-num', 'mandatory', 'single', 'primary', 'lookup'),
      row('as-name', 'mandatory', 'single'),
      row('descr', 'mandatory', 'many'),
      row('country', 'mandatory', 'single'),
      row('member-of', 'optional', 'many', 'inverse'),
      row('import', 'optional', 'many'),
      row('mp-import', 'optional', 'many'),
      row('export', 'optional', 'many'),
      row('mp-export', 'optional', 'many'),
      row('default', 'optional', 'many'),
      row('mp-default', 'optional', 'many'),
      row('remarks', 'optional', 'many'),
      row('org', 'optional', 'single', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('abuse-c', 'optional', 'single', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('mnt-routes', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-irt', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'as-set': {
    name: 'as-set',
    order: 9,
    template: [
      row('as-set', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('country', 'optional', 'single'),
      row('members', 'optional', 'many'),
      row('mbrs-by-ref', 'optional', 'many', 'inverse'),
      row('remarks', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  route: {
    name: 'route',
    order: 10,
    template: [
      row('route', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('origin', 'mandatory', 'single', 'primary', 'inverse'),
      row('holes', 'optional', 'many'),
      row('country', 'optional', 'single'),
      row('org', 'optional', 'many', 'inverse'),
      row('member-of', 'optional', 'many', 'inverse'),
      row('inject', 'optional', 'many'),
      row('aggr-mtd', 'optional', 'single'),
      row('aggr-bndry', 'optional', 'single'),
      row('export-comps', 'optional', 'single'),
      row('components', 'optional', 'single'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('mnt-routes', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  route6: {
    name: 'route6',
    order: 11,
    template: [
      row('route6', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('origin', 'mandatory', 'single', 'primary', 'inverse'),
      row('country', 'optional', 'single'),
      row('holes', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('member-of', 'optional', 'many', 'inverse'),
      row('inject', 'optional', 'many'),
      row('aggr-mtd', 'optional', 'single'),
      row('aggr-bndry', 'optional', 'single'),
      row('export-comps', 'optional', 'single'),
      row('components', 'optional', 'single'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('mnt-routes', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'route-set': {
    name: 'route-set',
    order: 12,
    template: [
      row('route-set', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('members', 'optional', 'many'),
      row('mp-members', 'optional', 'many'),
      row('mbrs-by-ref', 'optional', 'many', 'inverse'),
      row('remarks', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'inet-rtr': {
    name: 'inet-rtr',
    order: 15,
    template: [
      row('inet-rtr', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('alias', 'optional', 'many'),
      row('local-as', 'mandatory', 'single', 'inverse'),
      row('ifaddr', 'mandatory', 'many', 'inverse'),
      row('interface', 'optional', 'many'),
      row('peer', 'optional', 'many'),
      row('mp-peer', 'optional', 'many'),
      row('member-of', 'optional', 'many', 'inverse'),
      row('remarks', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'filter-set': {
    name: 'filter-set',
    order: 21,
    template: [
      row('filter-set', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('filter', 'optional', 'single'),
      row('mp-filter', 'optional', 'single'),
      row('remarks', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'peering-set': {
    name: 'peering-set',
    order: 22,
    template: [
      row('peering-set', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('peering', 'optional', 'many'),
      row('mp-peering', 'optional', 'many'),
      row('remarks', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'rtr-set': {
    name: 'rtr-set',
    order: 23,
    template: [
      row('rtr-set', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('members', 'optional', 'many'),
      row('mp-members', 'optional', 'many'),
      row('mbrs-by-ref', 'optional', 'many', 'inverse'),
      row('remarks', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  domain: {
    name: 'domain',
    order: 30,
    template: [
      row('domain', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('country', 'optional', 'single'),
      row('org', 'optional', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('zone-c', 'mandatory', 'many', 'inverse'),
      row('nserver', 'optional', 'many', 'inverse'),
      row('ds-rdata', 'optional', 'many', 'inverse'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('mnt-lower', 'optional', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  mntner: {
    name: 'mntner',
    order: 40,
    template: [
      row('mntner', 'mandatory', 'single', 'primary', 'lookup'),
      row('descr', 'mandatory', 'many'),
      row('country', 'optional', 'single'),
      row('org', 'optional', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'optional', 'many', 'inverse'),
      row('upd-to', 'mandatory', 'many', 'inverse'),
      row('mnt-nfy', 'optional', 'many', 'inverse'),
      row('auth', 'mandatory', 'many', 'inverse'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('abuse-mailbox', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('referral-by', 'mandatory', 'single', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  irt: {
    name: 'irt',
    order: 41,
    template: [
      row('irt', 'mandatory', 'single', 'primary', 'lookup'),
      row('address', 'mandatory', 'many'),
      row('phone', 'optional', 'many'),
      row('fax-no', 'optional', 'many'),
      row('e-mail', 'mandatory', 'many', 'lookup'),
      row('abuse-mailbox', 'mandatory', 'many', 'inverse'),
      row('signature', 'optional', 'many'),
      row('encryption', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('auth', 'mandatory', 'many', 'inverse'),
      row('remarks', 'optional', 'many'),
      row('irt-nfy', 'optional', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  'key-cert': {
    name: 'key-cert',
    order: 45,
    template: [
      row('key-cert', 'mandatory', 'single', 'primary', 'lookup'),
      row('method', 'generated', 'single'),
      row('owner', 'generated', 'many'),
      row('fingerpr', 'generated', 'single', 'inverse'),
      row('certif', 'mandatory', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('admin-c', 'optional', 'many', 'inverse'),
      row('tech-c', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  organisation: {
    name: 'organisation',
    order: 48,
    template: [
      row('organisation', 'mandatory', 'single', 'primary', 'lookup'),
      row('org-name', 'mandatory', 'single', 'lookup'),
      row('org-type', 'mandatory', 'single'),
      row('descr', 'optional', 'many'),
      row('country', 'mandatory', 'single'),
      row('address', 'mandatory', 'many'),
      row('phone', 'optional', 'many'),
      row('fax-no', 'optional', 'many'),
      row('e-mail', 'mandatory', 'many', 'lookup'),
      row('geoloc', 'optional', 'single'),
      row('language', 'optional', 'many'),
      row('org', 'optional', 'many', 'inverse'),
      row('admin-c', 'optional', 'many', 'inverse'),
      row('tech-c', 'optional', 'many', 'inverse'),
      row('ref-nfy', 'optional', 'many', 'inverse'),
      row('mnt-ref', 'mandatory', 'many', 'inverse'),
      row('notify', 'optional', 'many', 'inverse'),
      row('abuse-mailbox', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  role: {
    name: 'role',
    order: 49,
    template: [
      row('role', 'mandatory', 'single', 'lookup'),
      row('address', 'mandatory', 'many'),
      row('country', 'mandatory', 'single'),
      row('phone', 'mandatory', 'many'),
      row('fax-no', 'optional', 'many'),
      row('e-mail', 'mandatory', 'many', 'lookup'),
      row('org', 'optional', 'many', 'inverse'),
      row('admin-c', 'mandatory', 'many', 'inverse'),
      row('tech-c', 'mandatory', 'many', 'inverse'),
      row('nic-hdl', 'mandatory', 'single', 'primary', 'lookup'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('abuse-mailbox', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
  person: {
    name: 'person',
    order: 50,
    template: [
      row('person', 'mandatory', 'single', 'lookup'),
      row('address', 'mandatory', 'many'),
      row('country', 'mandatory', 'single'),
      row('phone', 'mandatory', 'many'),
      row('fax-no', 'optional', 'many'),
      row('e-mail', 'mandatory', 'many', 'lookup'),
      row('org', 'optional', 'many', 'inverse'),
      row('nic-hdl', 'mandatory', 'single', 'primary', 'lookup'),
      row('remarks', 'optional', 'many'),
      row('notify', 'optional', 'many', 'inverse'),
      row('abuse-mailbox', 'optional', 'many', 'inverse'),
      row('mnt-by', 'mandatory', 'many', 'inverse'),
      row('last-modified', 'generated', 'single'),
      row('source', 'mandatory', 'single'),
    ],
  },
};

/** All class names in the order of answers. */
export const classNames = Object.keys(classes) as ClassName[];

/** The class of this name in any case, or of this short name (`in`, `*in`); undefined when there is none. */
export function findClass(name: string): ClassRule | undefined {
  const lower = name.toLowerCase();
  const long = isClassName(lower) ? lower : longName(lower.startsWith('*') ? lower : `*${lower}`);
  return isClassName(long) ? classes[long] : undefined;
}

/** True for the name of a class as attributes and tables spell it. */
export function isClassName(name: string): name is ClassName {
  return Object.hasOwn(classes, name);
}

/** The row of an attribute in its class; undefined when the class does not have it. */
export function templateRow(rule: ClassRule, attribute: string): TemplateRow | undefined {
  return rule.template.find(row => row.attribute === attribute);
}

function row(attribute: AttributeName, need: TemplateRow['need'], often: TemplateRow['often'], ...key: KeyUse[]): TemplateRow {
  return { attribute, need, often, key };
}
