import { pages } from '@portal/contract/pages';
import type { NavigationPage } from './navigation-groups.ts';

/** Pages that are reached from the person's menu and not from the navigation. */
export const settingsPages: readonly NavigationPage[] = [pages.settings, pages.notifications].map(({ title, path }) => ({
  label: title,
  group: 'Your login',
  link: path,
}));
