import { classNames } from './class-names.ts';
import styles from './Icon.module.css';

const circle = 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z';
const octagon = 'M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5z';

/** Outlines in a 16 px box. The states differ by outline alone: valid a circle, invalid an octagon, not found a barred circle, warning a triangle. */
const paths = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  resources: 'M2.5 2.5h11v11h-11zM2.5 8h11M8 2.5V8M5.2 8v5.5',
  whois: 'M3 2.5h8.5a1 1 0 0 1 1 1v10H4a1 1 0 0 1-1-1zM3 11.5h9.5M6 5.5h4',
  reverse: 'M13 5H4.5M7 2.5 4.5 5 7 7.5M3 11h8.5M9 8.5l2.5 2.5L9 13.5',
  route: 'M4 4.5h5a3 3 0 0 1 0 6H4.5M6.5 8 4 10.5 6.5 13M4 4.5h0',
  transfer: 'M2.5 5.5h9M9 3l2.5 2.5L9 8M13.5 10.5h-9M7 8l-2.5 2.5L7 13',
  key: 'M9.2 6.8 14 2M12 4l1.5 1.5M6.5 13a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  tasks: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  contacts:
    'M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM1.8 13.5c.3-2.3 2-3.7 4.2-3.7s3.9 1.4 4.2 3.7M11 3.2a2.2 2.2 0 0 1 0 4.1M12 10c1.3.5 2.1 1.7 2.3 3.5',
  inbox: 'M2.5 9.5 4.5 3h7l2 6.5v4h-11zM2.5 9.5H6L7 11h2l1-1.5h3.5',
  billing: 'M3.5 2h9v12l-2.2-1.4L8 14l-2.3-1.4L3.5 14zM6 5.5h4M6 8.5h4',
  chart: 'M2.5 2.5v11h11M4.5 11c4 0 6-2.5 8-7.5',
  document: 'M4 2h5.5l3 3v9H4zM9.5 2v3h3',
  clock: `${circle}M8 4.8V8l2.2 1.5`,
  vote: 'M2.5 8.5h11v5h-11zM5 8.5l3.5-6 3 2-2.3 4M5 11h6',
  history: 'M3 8a5 5 0 1 1 1.5 3.6M3 13.5V11h2.5M8 5.5V8l1.8 1.2',
  proxy: 'M5 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM1.5 13.5c.2-2.2 1.6-3.6 3.5-3.6s3.3 1.4 3.5 3.6M9.5 6H14M12 4l2 2-2 2',
  accounts: 'M4.5 5.5h9v8h-9zM2.5 11V2.5h9',
  link: 'M6.5 9.5l3-3M7 5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.8 2.8 0 0 1-4-4L5 7',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  ticket: 'M2.5 3h11v8H8l-3 2.5V11H2.5z',
  bell: 'M3 12h10c-1.2-1-1.7-2.5-1.7-5a3.3 3.3 0 0 0-6.6 0c0 2.5-.5 4-1.7 5zM6.7 14h2.6M8 3.7V2.2',
  mail: 'M2.5 4h11v8.5h-11zM2.5 4.5 8 9l5.5-4.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'm4 4 8 8M12 4l-8 8',
  'chevron-down': 'm4.5 6.5 3.5 3.5 3.5-3.5',
  'chevron-up': 'm4.5 9.5 3.5-3.5 3.5 3.5',
  'chevron-right': 'm6.5 4.5 3.5 3.5-3.5 3.5',
  'chevron-left': 'M9.5 4.5 6 8l3.5 3.5',
  external: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  download: 'M8 2.5V10M5 7.5 8 10.5l3-3M2.5 13.5h11',
  upload: 'M8 10.5V3M5 5.5l3-3 3 3M2.5 13.5h11',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  user: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.8 14c.4-2.7 2.5-4 5.2-4s4.8 1.3 5.2 4',
  shield: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 7.8l1.6 1.6 2.8-3.2',
  building: 'M3 13.5v-11h6v11M9 6.5h4v7M1.5 13.5h13M5 5.5h2M5 8h2M5 10.5h2',
  plus: 'M8 3v10M3 8h10',
  filter: 'M2.5 3.5h11L9.5 8.5v4.5l-3-1.5v-3z',
  'arrow-up': 'M8 13V3M4 7l4-4 4 4',
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  'arrow-right': 'M3 8h10M9 4l4 4-4 4',
  info: `${circle}M8 7.5V11M8 5h.01`,
  warning: 'M8 2.5 14.2 13.5H1.8zM8 6.8v3M8 11.7h.01',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  valid: `${circle}M5.5 8.2l1.8 1.8 3.2-3.7`,
  minus: 'M3 8h10',
  'not-found': `${circle}M5 8h6`,
  invalid: `${octagon}M6 6l4 4M10 6l-4 4`,
  waiting: circle,
  running: 'M8 13.5a5.5 5.5 0 1 0 0-11',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  edit: 'M10.5 3 13 5.5 5.5 13H3v-2.5z',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9M6.8 7v4M9.2 7v4',
  reply: 'M13 3.5v5H3.5M6 6 3.5 8.5 6 11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5V5h-2.5',
  'sign-out': 'M9.5 4.5v-2h-7v11h7v-2M6 8h8M11.5 5.5 14 8l-2.5 2.5',
  'zoom-out': 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3M5 7h4',
} as const;

export type IconName = keyof typeof paths;
export const iconNames = /* @__PURE__ */ Object.keys(paths) as IconName[];

/** A 16 px outline in the colour of the words beside it. Decoration unless `label` says what it means. */
export function Icon({ name, label, className }: { name: IconName; label?: string; className?: string | undefined }) {
  return (
    <svg
      className={classNames(styles.icon, className)}
      viewBox="0 0 16 16"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d={paths[name]} />
    </svg>
  );
}
