{{- define "dalil.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "dalil.labels" -}}
app.kubernetes.io/name: dalil
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
