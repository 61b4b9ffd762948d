/** What clients read to find the way in: metadata of the resource and of the authorization server. */

export const AUTHORIZE_PATH = '/oauth/authorize';
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
/** The path of the resource follows the well-known one (RFC 9728, section 3.1). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';

/** Returns the identifier of the only resource: the address of the MCP endpoint. */
export function resourceOf(baseUrl: string): string {
  return `${baseUrl}/mcp`;
}

/** Returns the metadata of the protected resource (RFC 9728). */
export function resourceMetadata(baseUrl: string): Record<string, unknown> {
  return {
    resource: resourceOf(baseUrl),
    resource_name: 'Verbatim',
    authorization_servers: [baseUrl],
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs`,
  };
}

/** Returns the metadata of the authorization server (RFC 8414), whose issuer is the base address. */
export function serverMetadata(baseUrl: string): Record<string, unknown> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${AUTHORIZE_PATH}`,
    token_endpoint: `${baseUrl}${TOKEN_PATH}`,
    revocation_endpoint: `${baseUrl}${REVOKE_PATH}`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
}
