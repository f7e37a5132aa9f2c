/** Serves the OpenAPI documents: the admin API's is made from the contract, delivery's is written out. */
import type { Operation } from '../../../contract/operation.js';
import { getAdminDocument, getDeliveryDocument } from '../../../contract/operations/documents.js';
import { type Handler, handle } from '../handlers.js';
import { deliveryDocument } from './delivery-document.js';
import { deliveryOrigins } from './delivery-origins.js';

/** The admin API's document, made when it is first requested: that takes a good part of a second. */
export type AdminDocument = () => Promise<Buffer>;

/** @param operations are read when the document is made */
export function adminDocumentOf(operations: () => readonly Operation[]): AdminDocument {
  let document: Promise<Buffer> | null = null;
  return () => {
    document ??= import('./document.js')
      .then((made) => Buffer.from(JSON.stringify(made.openapiDocument(operations()))))
      .catch((error: unknown) => {
        // The next request tries again.
        document = null;
        throw error;
      });
    return document;
  };
}

/** @param deliveryUrl as for `deliveryOrigins` */
export function documentHandlers(
  document: AdminDocument,
  deliveryUrl: string | null,
): readonly Handler[] {
  return [
    handle(getAdminDocument, () => document()),
    handle(getDeliveryDocument, async ({ request }) =>
      deliveryDocument(deliveryOrigins(deliveryUrl, request.hostname)),
    ),
  ];
}
