import { type AnyEndpoint, addressOf, type CallInput } from '@portal/api-client';
import type { AddressValues } from '../place/address.ts';

/** A read of the registry: which call, and with what. Components are answered by it (`useRead`), pages name it (`PageReads`). */
export type Read<E extends AnyEndpoint = AnyEndpoint> = { endpoint: E; input: CallInput<E>; isSpare?: true };

/** A read with the input that its endpoint asks for. */
export const read = <E extends AnyEndpoint>(endpoint: E, input: CallInput<E>): Read<E> => ({ endpoint, input });

/** A read that the page can do without if it is refused. */
export const spare = <E extends AnyEndpoint>(endpoint: E, input: CallInput<E>): Read<E> => ({ endpoint, input, isSpare: true });

/** The account and query with which a page is opened. */
export type ReadsOf = { account: string; address: AddressValues };

/**
 * The reads with which a page begins besides those of every page, exported by the page's file as `reads`. What a page reads after an answer is not
 * among them. The web build writes them down as addresses (`tools/web/page-reads.ts`), and so they are asked for before the page's code has come.
 */
export type PageReads = (page: ReadsOf) => readonly Read[];

/** Returns the address of a read: path and query. */
export const addressOfRead = ({ endpoint, input }: Read): string => addressOf(endpoint.path, input);
