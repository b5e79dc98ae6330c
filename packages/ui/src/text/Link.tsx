import { type AnchorHTMLAttributes, createContext, createElement, type ElementType, type ReactNode, type Ref, useContext } from 'react';

/** The element that links are made of: a plain `a`, unless the application puts its router's there. */
export const LinkElement = /* @__PURE__ */ createContext<ElementType>('a');

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; children?: ReactNode; ref?: Ref<HTMLAnchorElement> };

/** A link. Inside an application it goes through the router given in `LinkElement`, which takes `href` like an anchor does. */
export function Link(props: LinkProps) {
  return createElement(useContext(LinkElement), props);
}
