// The provider: tokens are JWTs, signed with RS256, for the audience that is asked for. People sign
// in by a form that asks who they are and for nothing else.
import { createServer } from "node:http";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import Provider from "oidc-provider";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "test-1" };
const client = (id) => ({
  client_id: id,
  client_secret: `secret-of-${id}`,
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: "client_secret_post",
});

// The viewer, on any port of this machine (RFC 8252, section 7.3).
const viewer = (id, method) => ({
  client_id: id,
  ...(method === "none" ? {} : { client_secret: `secret-of-${id}` }),
  application_type: "native",
  grant_types: ["authorization_code"],
  redirect_uris: ["http://127.0.0.1/signin/callback"],
  response_types: ["code"],
  token_endpoint_auth_method: method,
});
const FORM = `<!doctype html><html lang="en"><title>Provider</title><form method="post">
  <label>Who are you? <input name="who"></label> <button>Sign in</button> <button name="deny" value="1">Deny</button></form>`;

/** Who somebody is, or that they turned back: what the form says. */
async function interact(provider, request, response) {
  // Asked about each client on this machine itself; the form before was about the same.
  const { prompt } = await provider.interactionDetails(request, response);
  if (prompt.name === "consent") {
    await provider.interactionFinished(request, response, { consent: {} }, { mergeWithLastSubmission: true });
    return;
  }
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html").end(FORM);
    return;
  }
  let body = "";
  for await (const piece of request) body += piece;
  const said = new URLSearchParams(body);
  const result = said.get("deny")
    ? { error: "access_denied", error_description: "the person turned back" }
    : { login: { accountId: said.get("who") } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      ...["amal", "a.mal", "sami", "stranger"].map(client),
      viewer("viewer", "client_secret_basic"),
      viewer("viewer-public", "none"),
    ],
    jwks: { keys: [key] },
    claims: { openid: ["sub", "dalil_tenant"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["of tests alone"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, dalil_tenant: "acme" }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid");
      await grant.save();
      return grant;
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => "urn:dalil:api",
        getResourceServerInfo: (_, resource) => ({
          scope: "",
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    extraTokenClaims: () => ({ dalil_tenant: "acme" }),
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (request.url.startsWith("/interaction/")) return void interact(provider, request, response);
    answer(request, response);
  });
  writeFileSync(process.argv[2], issuer);
});
