# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A service of the Django REST framework over one table, as a team writes it in a day; ITEMS_DATABASE names the file."""

import os

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="a key for loopback alone",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["rest_framework"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["ITEMS_DATABASE"],
            "CONN_MAX_AGE": None,
            # As durable as Tideline: a commit is on the disk when it is answered.
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
            },
        }
    },
    DATA_UPLOAD_MAX_MEMORY_SIZE=100_000_000,
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models, transaction  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import serializers, status  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


class Item(models.Model):
    Id = models.IntegerField(primary_key=True)
    Code = models.CharField(max_length=20)
    Name = models.CharField(max_length=80)
    Quantity = models.IntegerField()
    Weight = models.FloatField()
    Note = models.CharField(max_length=80, null=True)
    Place = models.CharField(max_length=40)

    class Meta:
        app_label = "items"
        db_table = "Items"
        managed = False


class ItemSerializer(serializers.ModelSerializer):
    class Meta:
        model = Item
        fields = ["Id", "Code", "Name", "Quantity", "Weight", "Note", "Place"]
        # Asked row by row it would be a query each; the table says it anyway.
        extra_kwargs = {"Id": {"validators": []}}


class Items(APIView):
    def post(self, request):
        serializer = ItemSerializer(data=request.data, many=True)
        serializer.is_valid(raise_exception=True)
        conflicts = {}
        if "upsert" in request.query_params:
            fields = ItemSerializer.Meta.fields
            conflicts = {"update_conflicts": True, "unique_fields": fields[:1], "update_fields": fields[1:]}
        with transaction.atomic():
            Item.objects.bulk_create([Item(**row) for row in serializer.validated_data], **conflicts)
        return Response({"written": len(serializer.validated_data)}, status=status.HTTP_201_CREATED)


urlpatterns = [path("items/", Items.as_view())]
application = get_wsgi_application()
